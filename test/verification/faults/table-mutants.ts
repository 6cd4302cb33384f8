/** Bugs to plant between the stores and the table, which prove that the checks detect such bugs. */
import { type Action, ConditionFailed, type Table } from '../../../shared/platform/dynamo-table.ts';

type Update = NonNullable<Action['Update']>;

const isRow = (key: Readonly<Record<string, unknown>> | undefined, kind: string): boolean =>
  String(key?.pk).startsWith(`${kind}#`);

/** A table whose transactions are other ones. */
const transacting =
  (change: (actions: readonly Action[]) => readonly Action[]) =>
  (table: Table): Table => ({ ...table, transact: (actions) => table.transact(change(actions)) });

const changingUpdates = (kind: string, change: (update: Update) => Update) =>
  transacting((actions) =>
    actions.map((action) =>
      action.Update && isRow(action.Update.Key, kind) ? { Update: change(action.Update) } : action,
    ),
  );

type SingleUpdate = Parameters<Table['update']>[0];

const changingSingleUpdates =
  (change: (update: SingleUpdate) => SingleUpdate) =>
  (table: Table): Table => ({ ...table, update: (input) => table.update(change(input)) });

/** Every condition that names a state is met: what remains is that the row exists. */
const whateverItsState = <Write extends Pick<Update, 'ExpressionAttributeValues'>>({
  ExpressionAttributeValues = {},
  ...update
}: Write) => ({
  ...update,
  ConditionExpression: 'attribute_exists(pk)',
  ExpressionAttributeValues: Object.fromEntries(
    Object.entries(ExpressionAttributeValues).filter(([name]) => !name.startsWith(':from')),
  ),
});

const withoutSlot = ({ ExpressionAttributeValues = {}, UpdateExpression = '', ...update }: Update): Update => {
  const { ':task': _slot, ...others } = ExpressionAttributeValues;
  if (!UpdateExpression.includes('ADD openTasks :task')) {
    return { ...update, UpdateExpression, ExpressionAttributeValues };
  }
  const rest = UpdateExpression.replace(' ADD openTasks :task', '');
  return { ...update, UpdateExpression: rest, ExpressionAttributeValues: others };
};

export const mutants = {
  /** Who comes second ends the task once more, and refunds it once more. */
  'a task can end twice': changingUpdates('TASK', whateverItsState),

  'the debit takes no slot': changingUpdates('ACCOUNT', withoutSlot),

  /** A crash between the two, or an equal request meanwhile, makes a second task. */
  'the key is stored after the transaction'(table: Table): Table {
    return {
      ...table,
      async transact(actions) {
        const keeps = ({ Put }: Action) => isRow(Put?.Item, 'IDEMPOTENCY');
        await table.transact(actions.filter((action) => !keeps(action)));
        const unlessKept = (error: unknown) => {
          if (!(error instanceof ConditionFailed)) throw error;
        };
        for (const { Put } of actions.filter(keeps)) if (Put) await table.put(Put).catch(unlessKept);
      },
    };
  },

  /** The table removes it in the end, with the product that shows it. */
  'a file that is used still expires': changingUpdates(
    'FILE',
    ({ UpdateExpression = '', ExpressionAttributeNames = {}, ...update }) => {
      const { '#expiry': _expiry, ...names } = ExpressionAttributeNames;
      const rest = UpdateExpression.replace(' REMOVE #expiry', '');
      return { ...update, UpdateExpression: rest, ExpressionAttributeNames: names };
    },
  ),

  'the claim of an attempt is ignored'(table: Table): Table {
    return {
      ...table,
      put({ ConditionExpression, ...input }) {
        const isClaim = isRow(input.Item, 'TASK');
        return table.put(isClaim || !ConditionExpression ? input : { ...input, ConditionExpression });
      },
    };
  },

  /** Late word of an engine takes a task back to where it was. */
  'a task can move from any state': changingSingleUpdates((update) => {
    const isMove = update.UpdateExpression?.startsWith('SET #status = :to');
    return isMove ? { ...update, ...whateverItsState(update) } : update;
  }),
  /** As many requests as one likes. */
  'the request limit is not enforced': changingSingleUpdates(({ ConditionExpression = '', ...update }) => {
    const { ':windowStart': windowStart, ...others } = update.ExpressionAttributeValues ?? {};
    if (windowStart === undefined) return { ...update, ...(ConditionExpression && { ConditionExpression }) };
    const condition = ConditionExpression.replace(' AND rl[0] <= :windowStart', '');
    return { ...update, ConditionExpression: condition, ExpressionAttributeValues: others };
  }),

  /** Its messages are taken for those of the series before, of which nothing more is to be done. */
  'a redelivery restarts at the first attempt': changingSingleUpdates((update) => {
    const isReopening = update.UpdateExpression?.startsWith('SET webhookStatus = :pending');
    const values = { ...update.ExpressionAttributeValues, ':from': 1 };
    return isReopening ? { ...update, ExpressionAttributeValues: values } : update;
  }),
} as const satisfies Record<string, (table: Table) => Table>;
