/** Half-open circuits on the real table: how many tasks they admit, whatever runs concurrently or crashes. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { generationOf } from '../../../shared/contracts/generate.ts';
import { failuresThatOpen, pauseAfter } from '../../../shared/domain/generation/circuit.ts';
import { circuitStore } from '../../../shared/domain/generation/circuit-store.ts';
import { createTask, type Order } from '../../../shared/domain/generation/create-task.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import { stores as storesOf } from '../../../shared/domain/stores.ts';
import { type End, endTask } from '../../../shared/domain/task-lifecycle/end-task.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { unreachable } from '../../support/end-unnotified.ts';
import { InjectedFault } from '../../support/gateway-outcome.ts';
import { modelRuns } from '../../support/model-runs.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { anAccount, tableInTests, testIds, testTime } from '../../support/test-table.ts';
import { type Crash, mortal } from '../billing/mortal-process.ts';

const host = await tableInTests();

const shortestPauseMs = pauseAfter(failuresThatOpen);
const longestPauseMs = pauseAfter(100);
const opening = 1000;

const ends: Readonly<Record<'works' | 'fails' | 'says nothing', End>> = {
  works: { status: 'completed', results: [] },
  fails: { status: 'failed', code: 'PROVIDER_ERROR' },
  'says nothing': { status: 'failed', code: 'CONTENT_REJECTED' },
};

const unlessExpected = (error: unknown) => {
  if (error instanceof InjectedFault) return undefined;
  if (error instanceof Rejection && error.kind === 'engine-unavailable') return undefined;
  throw error;
};

async function world() {
  let now = testTime;
  const clock = { now: () => now };
  const stores = storesOf(host.table, clock);
  const accounts = [anAccount({ balance: opening }), anAccount({ balance: opening }), anAccount({ balance: opening })];
  for (const account of accounts) await stores.accounts.insert(account, undefined);
  const route = { id: `offline/${testIds.next()}`, engine: 'offline' } as const;
  const order: Order = {
    contract: generationOf('voice'),
    taskType: 'voice',
    cost: 1,
    choice: { routes: [route.id] },
    routes: [route],
    inspected: undefined,
    files: new Map(),
    promise: undefined,
    enginePrices: { prices: {}, creditMicros: 1 },
  };
  const needs = { ...stores, ...unreachable, clock, ids: testIds, logger: new RecordingLogger() };
  // Each instance of the service uses a circuit as it was when the instance last read it.
  const instances = [circuitStore(host.table, clock), circuitStore(host.table, clock)];

  return {
    accountIds: accounts.map(({ accountId }) => accountId),
    now: () => now,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    fail: (accountId: string) =>
      circuitStore(host.table, clock).recordFailure({ accountId, route: route.id, createdAt: now }),
    ask(accountId: string, key: string, instance = 0, crash?: Crash) {
      const request = {
        body: { text: 'Uma frase.', voice: 'sarah' },
        headers: {},
        actor: { accountId, tokenId: testIds.next() },
        requestId: 'request',
        idempotency: { key, fingerprint: 'print' },
        retryAfter: () => undefined,
      };
      const circuits = instances[instance] ?? stores.circuits;
      const table = crash ? mortal(host.table, crash) : host.table;
      return createTask(request, { ...needs, circuits, table }, order).catch(unlessExpected);
    },
    async tasks(): Promise<Task[]> {
      const pages = accounts.map(({ accountId }) => stores.tasks.ids(accountId, {}, { limit: 100, offset: 0 }));
      return stores.tasks.findMany((await Promise.all(pages)).flat());
    },
    end: (task: Task, end: End) => endTask({ ...needs, metrics: recordedMetrics() }, task, end),
    balances: () =>
      Promise.all(accounts.map(async ({ accountId }) => (await stores.accounts.find(accountId))?.balance)),
  };
}

const crash = fc.option(fc.record({ at: fc.constant(1), after: fc.boolean() }), { nil: undefined, freq: 3 });
const request = fc.record({ account: fc.nat(2), key: fc.nat(2), instance: fc.nat(2), crash });
const burst = fc.record({
  waitMs: fc.constantFrom(1, 5000, shortestPauseMs, 2 * shortestPauseMs, longestPauseMs),
  requests: fc.array(request, { minLength: 2, maxLength: 6 }),
  end: fc.constantFrom('works', 'fails', 'fails', 'says nothing', 'is late'),
});

test('a half-open circuit admits one task per pause, for an account or for all, and another if the task is inconclusive', async () => {
  const seen = { probes: 0, rejections: 0, retaken: 0, closed: 0 };
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(burst, { minLength: 1, maxLength: 6 }), async (isForAll, bursts) => {
      const at = await world();
      const accountIds = at.accountIds.slice(0, isForAll ? 3 : 1);
      for (let failures = 0; failures < failuresThatOpen; failures += 1) {
        for (const accountId of accountIds) await at.fail(accountId);
      }
      let admitsFrom = at.now() + shortestPauseMs;
      let known: readonly Task[] = [];
      let isOpen = true;
      for (const [round, { waitMs, requests, end }] of bursts.entries()) {
        if (!isOpen) break;
        at.pass(waitMs);
        const asked = requests.map(({ account, key, instance, crash: crashing }) => {
          const accountId = accountIds[account % accountIds.length] ?? '';
          return at.ask(accountId, `${round}-${key}`, instance, crashing);
        });
        const outcomes = await Promise.all(asked);
        seen.rejections += outcomes.filter((outcome) => outcome === undefined).length;
        const tasks = await at.tasks();
        const made = tasks.filter(({ taskId }) => !known.some((one) => one.taskId === taskId));
        expect(made.length).toBeLessThanOrEqual(at.now() < admitsFrom ? 0 : 1);
        known = tasks;
        const [probe] = made;
        if (!probe) continue;
        seen.probes += 1;
        if (known.length > 1) seen.retaken += 1;
        admitsFrom = at.now() + (end === 'says nothing' ? 0 : shortestPauseMs);
        if (end !== 'is late') await at.end(probe, ends[end]);
        if (end === 'works') isOpen = false;
      }
      if (isOpen) {
        // Even an account that has probed before is admitted after two pauses.
        at.pass(2 * longestPauseMs);
        const [accountId = ''] = accountIds;
        await at.ask(accountId, 'last');
        const tasks = await at.tasks();
        expect(tasks).toHaveLength(known.length + 1);
        const probe = tasks.find(({ taskId }) => !known.some((one) => one.taskId === taskId));
        if (probe) await at.end(probe, ends.works);
      }
      seen.closed += 1;
      at.pass(5000);
      const before = await at.tasks();
      await Promise.all(accountIds.map((accountId) => at.ask(accountId, 'closed')));
      const after = await at.tasks();
      expect(after).toHaveLength(before.length + accountIds.length);
      const charged = after.filter(({ status }) => status !== 'failed').length;
      const total = (await at.balances()).reduce<number>((sum, balance = 0) => sum + balance, 0);
      expect(total).toBe(opening * at.accountIds.length - charged);
    }),
    modelRuns(25),
  );
  for (const [kind, count] of Object.entries(seen)) expect([kind, count > 0]).toEqual([kind, true]);
});

test.each([
  { kind: 'for its account', accounts: 1, next: 0 },
  { kind: 'for all', accounts: 3, next: 1 },
])(
  'a probe of a circuit that is open $kind makes room for another one as soon as it proves inconclusive',
  async ({ accounts, next }) => {
    const at = await world();
    const accountIds = at.accountIds.slice(0, accounts);
    for (let failures = 0; failures < failuresThatOpen; failures += 1) {
      for (const accountId of accountIds) await at.fail(accountId);
    }
    at.pass(shortestPauseMs);
    const ask = async (account: number, key: string): Promise<number> => {
      // The other instances read the circuit again.
      at.pass(5000);
      await at.ask(accountIds[account] ?? '', key);
      return (await at.tasks()).length;
    };
    expect([await ask(0, 'probe'), await ask(next, 'too soon')]).toEqual([1, 1]);
    const [probe = expect.fail('there is no probe')] = await at.tasks();
    await at.end(probe, { status: 'failed', code: 'INPUT_INVALID' });
    expect(await ask(next, 'next')).toBe(2);
  },
);
