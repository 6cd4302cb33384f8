/** Corrections of one account, concurrent with created and ended tasks, ledger postings and each other. */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { generationOf } from '../../../shared/contracts/generate.ts';
import { auditAccount } from '../../../shared/domain/accounts/audit-account.ts';
import { correctionsSince } from '../../../shared/domain/accounts/drift-correction.ts';
import { reconcileAccount } from '../../../shared/domain/accounts/reconcile-account.ts';
import { commitTask } from '../../../shared/domain/generation/commit-task.ts';
import { accountKey } from '../../../shared/domain/keys.ts';
import { stores as storesOf } from '../../../shared/domain/stores.ts';
import { endTask } from '../../../shared/domain/task-lifecycle/end-task.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { unreachable } from '../../support/end-unnotified.ts';
import { modelRuns } from '../../support/model-runs.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { anAccount, aTask, tableInTests, testIds, testTime } from '../../support/test-table.ts';

const host = await tableInTests();

const opening = 60;
const cost = 3;
const clock = { now: () => testTime };

async function world() {
  const stores = { ...storesOf(host.table, clock), circuits: closedCircuits };
  const account = anAccount({ balance: opening });
  const { accountId } = account;
  const row = (amount: number) => ({ id: testIds.next(), accountId, amount, reason: 'bonus', at: testTime }) as const;
  await stores.accounts.insert(account, row(opening));
  const ending = { ...stores, ...unreachable, clock, ids: testIds, logger: new RecordingLogger() };
  let made = 0;
  return {
    stores,
    accountId,
    create: async (): Promise<Task | undefined> => {
      made += 1;
      const task = aTask({ accountId, cost, taskType: made % 2 === 0 ? 'voice' : 'voice-change' });
      const accepted = { taskId: task.taskId, status: 'queued' } as const;
      const created = { task, accepted, idempotency: undefined, requestId: testIds.next() };
      const { status } = await commitTask({ ...stores, ids: testIds }, generationOf(task.taskType), created);
      return status === 'made' ? task : undefined;
    },
    end: (task: Task, isRefunded: boolean) =>
      endTask(
        { ...ending, metrics: recordedMetrics() },
        task,
        isRefunded ? { status: 'failed', code: 'PROVIDER_ERROR' } : { status: 'completed', results: [] },
      ),
    post: async (amount: number) => (await stores.accounts.post(row(amount))) === 'posted',
    drift: async (credits: number, verb: 'ADD' | 'DELETE', slots: readonly string[], fileSlots = slots) => {
      const sets = Object.entries({ openTasks: slots, openFileTasks: fileSlots }).filter(([, ids]) => ids.length > 0);
      const changes = sets.map(([name]) => `${name} :${name}`).join(', ');
      await host.table.update({
        Key: accountKey(accountId),
        UpdateExpression: `SET balance = balance + :credits ${changes && `${verb} ${changes}`}`,
        ExpressionAttributeValues: {
          ':credits': credits,
          ...Object.fromEntries(sets.map(([name, ids]) => [`:${name}`, new Set(ids)])),
        },
      });
    },
  };
}

const someTasks = fc.nat({ max: 3 });
const plan = fc.record({
  /** Amounts that often equal the price of a task, so that drift can be confused with a real debit or refund. */
  credits: fc.constantFrom(-6, -3, 0, 3, 6, 7),
  kept: someTasks,
  lost: someTasks,
  ended: someTasks,
  unknown: fc.nat({ max: 1 }),
  created: someTasks,
  posted: fc.array(fc.constantFrom(-3, 3, 5), { maxLength: 2 }),
  /** Whether the end of each task refunds it; undefined for a task that stays open. */
  endings: fc.array(fc.option(fc.boolean(), { nil: undefined }), { minLength: 6, maxLength: 6 }),
  corrections: fc.integer({ min: 1, max: 2 }),
});

type World = Awaited<ReturnType<typeof world>>;
type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never;

const createMany = async ({ create }: World, count: number) => {
  const made = await Promise.all(Array.from({ length: count }, create));
  return made.filter((task) => task !== undefined);
};

/** Makes the account's balance and slots differ from its ledger and its tasks; returns its open tasks. */
async function spoil(at: World, { credits, kept, lost, ended, unknown }: Plan): Promise<Task[]> {
  const [keeping, losing, ending] = [
    await createMany(at, kept),
    await createMany(at, lost),
    await createMany(at, ended),
  ];
  await Promise.all(ending.map((task) => at.end(task, true)));
  const ghosts = Array.from({ length: unknown }, () => testIds.next());
  await at.drift(credits, 'ADD', [...ending.map(({ taskId }) => taskId), ...ghosts]);
  await at.drift(
    0,
    'DELETE',
    losing.map(({ taskId }) => taskId),
    [...keeping, ...losing].map(({ taskId }) => taskId),
  );
  return [...keeping, ...losing];
}

test('credits and slots stay exact while corrections run concurrently with new tasks, ending tasks and ledger postings', async () => {
  let corrected = 0;
  await fc.assert(
    fc.asyncProperty(plan, async (given) => {
      const at = await world();
      const { stores, accountId } = at;
      const before = await spoil(at, given);
      const endings = before.flatMap((task, position) => {
        const isRefunded = given.endings[position];
        return isRefunded === undefined ? [] : [{ task, isRefunded }];
      });
      const sumBefore = await stores.ledger.sum(accountId);

      const [created, posted, results] = await Promise.all([
        createMany(at, given.created),
        Promise.all(given.posted.map(async (amount) => ((await at.post(amount)) ? amount : 0))),
        Promise.all(
          Array.from({ length: given.corrections }, () =>
            reconcileAccount({ ...stores, clock, ids: testIds }, accountId),
          ),
        ),
        Promise.all(endings.map(({ task, isRefunded }) => at.end(task, isRefunded))),
      ]);

      // The audit checks what the concurrent corrections left, before any later correction could hide it.
      const isCorrected = results.some(({ status }) => status === 'reconciled');
      const found = await auditAccount({ ...stores, clock }, accountId);
      if (isCorrected) expect(found).toEqual({ accountId, credits: 0, slots: [] });
      else expect(found).toMatchObject({ credits: given.credits });
      corrected += isCorrected ? 1 : 0;

      const refunded = endings.filter(({ isRefunded }) => isRefunded).length;
      const sum = posted.reduce((total, amount) => total + amount, sumBefore) + cost * (refunded - created.length);
      const gone = new Set(endings.map(({ task }) => task.taskId));
      const open = [...before, ...created].filter(({ taskId }) => !gone.has(taskId));
      const ids = (tasks: readonly Task[]) => tasks.map(({ taskId }) => taskId).toSorted();
      expect(await reconcileAccount({ ...stores, clock, ids: testIds }, accountId)).toMatchObject({
        status: 'reconciled',
        balance: sum,
      });
      const account = await stores.accounts.find(accountId);
      expect(account).toMatchObject({ balance: sum, openTasks: ids(open) });
      const byFile = open.filter(({ taskType }) => taskType === 'voice-change');
      expect(account?.openFileTasks ?? []).toEqual(ids(byFile));
      // No drift is corrected without a record, or recorded without being corrected.
      const corrections = (await correctionsSince(stores.table, 0)).filter((one) => one.accountId === accountId);
      expect(corrections.reduce((total, { before: had, after }) => total + had - after, 0)).toBe(given.credits);
      for (const one of corrections) expect(one.after).toBe(one.sum);
    }),
    modelRuns(15),
  );
  expect(corrected).toBeGreaterThan(0);
}, 240_000);
