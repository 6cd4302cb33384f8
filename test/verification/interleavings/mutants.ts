/** Bugs that only some orders show: one step in the table becomes two, or a value is read too early. */
import type { Action, Table } from '../../../shared/platform/dynamo-table.ts';
import { isRow, mutants as plainMutants } from '../faults/table-mutants.ts';

import { studioMutants } from './studio-mutants.ts';

type Update = NonNullable<Action['Update']>;

const isDebit = ({ Update }: Action): boolean =>
  Update?.UpdateExpression?.startsWith('SET balance = balance - ') === true;

/** Without the condition that was looked at before. */
const unconditional = ({ ExpressionAttributeValues = {}, ...update }: Update): Update => {
  const { ':slots': _slots, ...values } = ExpressionAttributeValues;
  return { ...update, ConditionExpression: 'attribute_exists(pk)', ExpressionAttributeValues: values };
};

async function suffices(table: Table, { Key = {}, ExpressionAttributeValues = {} }: Update): Promise<boolean> {
  const account = await table.get({ pk: String(Key.pk), sk: String(Key.sk) });
  const open = (account?.openTasks as Set<string> | undefined)?.size ?? 0;
  return Number(account?.balance) >= Number(ExpressionAttributeValues[':cost']) && open < 20;
}

const endings = 'a task can end twice';
const keys = 'the key is stored after the transaction';
const moves = 'a task can move from any state';

export const mutants = {
  [endings]: plainMutants[endings],
  [keys]: plainMutants[keys],
  [moves]: plainMutants[moves],

  'balance and slots are checked before the debit': (table) => ({
    ...table,
    async transact(actions) {
      const { Update: debit } = actions.find(isDebit) ?? {};
      const known = debit && (await suffices(table, debit));
      await table.transact(
        actions.map((action) =>
          known && action.Update && isDebit(action) ? { Update: unconditional(action.Update) } : action,
        ),
      );
    },
  }),

  'the outcome is checked before it is stored': (table) => ({
    ...table,
    async update(input) {
      const { Key = {}, UpdateExpression = '' } = input;
      const isOutcome = UpdateExpression.startsWith('SET #outcome = if_not_exists');
      const row = isOutcome ? await table.get({ pk: String(Key.pk), sk: String(Key.sk) }) : undefined;
      const over = UpdateExpression.replace('if_not_exists(#outcome, :outcome)', ':outcome');
      return table.update(isOutcome && !row?.outcome ? { ...input, UpdateExpression: over } : input);
    },
  }),

  /** A new wait or job does not see that the task has already ended. */
  'a stored outcome is invisible to later steps': (table) => ({
    ...table,
    async update(input) {
      const { outcome, ...row } = await table.update(input);
      const comesAfter = isRow(input.Key, 'TASK') && /^SET #(token|reference)/.test(input.UpdateExpression ?? '');
      return comesAfter || outcome === undefined ? row : { ...row, outcome };
    },
  }),
  ...studioMutants,
} as const satisfies Record<string, (table: Table) => Table>;
