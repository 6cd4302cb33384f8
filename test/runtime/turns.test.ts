/** The order in which concurrent work commits its transactions. */
import { expect, test } from 'vitest';
import { taskKey } from '../../shared/domain/keys.ts';
import { type Action, type Table, TransactionCanceled } from '../../shared/platform/dynamo-table.ts';
import { turnsOf } from '../../shared/runtime/turns.ts';

const task = (id: string): Action => ({ Put: { Item: taskKey(id) } });
const refill = (id: string): Action => ({
  Update: { Key: { pk: `ACCOUNT#${id}`, sk: 'ACCOUNT' }, UpdateExpression: 'SET a = :a' },
});

test('a request in a batch lets the next one commit once its task is created, not after a refill or a canceled attempt', async () => {
  const committed: string[] = [];
  let attempts = 0;
  const table = {
    async transact([action]: readonly Action[]) {
      attempts += 1;
      // The first attempt finds that the daily credits must be topped up first.
      if (attempts === 1) throw new TransactionCanceled([]);
      committed.push(action?.Put ? String(action.Put.Item?.pk) : 'refill');
    },
  } as unknown as Table;
  const turns = turnsOf(table);
  const [first, second] = [turns.next().value, turns.next().value];
  const work = async () => {
    await first.table.transact([task('1')]).catch(() => undefined);
    await first.table.transact([refill('a')]);
    await first.table.transact([task('1')]);
  };
  await Promise.all([second.table.transact([task('2')]), work()]);
  expect(committed).toEqual(['refill', 'TASK#1', 'TASK#2']);
});

test('a request in a batch that creates no task lets the next one commit when it ends', async () => {
  const committed: string[] = [];
  const table = { transact: async () => void committed.push('second') } as unknown as Table;
  const turns = turnsOf(table);
  const [first, second] = [turns.next().value, turns.next().value];
  const waiting = second.table.transact([task('2')]);
  expect(committed).toEqual([]);
  first.end();
  await waiting;
  expect(committed).toEqual(['second']);
});
