/** Bugs in writes of files, of the Studio's resources and of videos' statuses, which only some orders show. */
import type { Action, Table } from '../../../shared/platform/dynamo-table.ts';
import { isRow } from '../faults/table-mutants.ts';

type Update = NonNullable<Action['Update']>;

/** A table whose transactions write some rows if only they exist. */
const unconditionally =
  (isMeant: (update: Update) => boolean, condition?: string) =>
  (table: Table): Table => ({
    ...table,
    transact: (actions) =>
      table.transact(
        actions.map((action) => {
          if (!action.Update || !isMeant(action.Update)) return action;
          const { ConditionExpression: _condition, ...update } = action.Update;
          return { Update: { ...update, ...(condition !== undefined && { ConditionExpression: condition }) } };
        }),
      ),
  });

export const studioMutants = {
  'an accepted video goes back to submitted': (table) => ({
    ...table,
    update(input) {
      const { ':to': to } = input.ExpressionAttributeValues ?? {};
      if (to !== 'submitted') return table.update(input);
      const { ConditionExpression: _condition, ExpressionAttributeValues = {}, ...update } = input;
      const values = Object.entries(ExpressionAttributeValues).filter(([name]) => !name.startsWith(':from'));
      return table.update({ ...update, ExpressionAttributeValues: Object.fromEntries(values) });
    },
  }),

  'an origin is looked up before it is reserved': (table) => ({
    ...table,
    async update(input) {
      const { Key = {}, ExpressionAttributeValues = {} } = input;
      if (!isRow(Key, 'ORIGIN')) return table.update(input);
      const known = await table.get({ pk: String(Key.pk), sk: String(Key.sk) });
      if (known) return known;
      const avatarId = ExpressionAttributeValues[':new'];
      await table.put({ Item: { ...Key, avatarId } });
      return { avatarId };
    },
  }),

  'a file is kept whatever has become of it': unconditionally(({ Key }) => isRow(Key, 'FILE')),

  /** Of two requests that each took the other for dead, both write. */
  'the owner of a claim is not checked': unconditionally(
    ({ Key, ExpressionAttributeValues = {} }) => isRow(Key, 'IDEMPOTENCY') && ':body' in ExpressionAttributeValues,
    'attribute_exists(pk) OR claimedBy = :owner',
  ),
} as const satisfies Record<string, (table: Table) => Table>;
