/**
 * The unused credits of all accounts: at the end of each day exactly what was sold and given minus what was taken back
 * and used, whatever happens during the audits that add them up and recount them.
 */
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { auditLedger } from '../../../functions/background/audit-ledger.ts';
import { debitAccount } from '../../../shared/domain/accounts/account-store.ts';
import { settledDay } from '../../../shared/domain/accounts/audit-figures.ts';
import { appendLedgerRow } from '../../../shared/domain/accounts/ledger-store.ts';
import { reportFigures } from '../../../shared/domain/figures/report-figures.ts';
import { latestUnused } from '../../../shared/domain/figures/unused-credits.ts';
import { figuresKey } from '../../../shared/domain/figures-keys.ts';
import { accountKey, unusedCreditsKey } from '../../../shared/domain/keys.ts';
import { stores as storesOf } from '../../../shared/domain/stores.ts';
import { endTask } from '../../../shared/domain/task-lifecycle/end-task.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { insertTask } from '../../../shared/domain/tasks/task-item.ts';
import { testAccountOf } from '../../../shared/domain/test-account.ts';
import { dayAt } from '../../../shared/platform/clock.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { unreachable } from '../../support/end-unnotified.ts';
import { modelRuns } from '../../support/model-runs.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { anAccount, aTask, tableInTests, testTime } from '../../support/test-table.ts';

const hourMs = 3_600_000;
const host = await tableInTests();
const { table } = host;

let now = testTime;
const clock = { now: () => now };
const ids = randomIds(clock);
const store = storesOf(table, clock);
const metrics = recordedMetrics();

/** What the model knows: by how much unused credits changed on each day, and which tasks are open. */
const changes: { readonly day: string; readonly credits: number }[] = [];
let open: Task[] = [];
const accounts = Array.from({ length: 6 }, () => anAccount({ balance: 0 }));

const unusedThrough = (day: string): number =>
  changes.filter((change) => change.day <= day).reduce((sum, { credits }) => sum + credits, 0);
const change = (credits: number) => changes.push({ day: dayAt(now), credits });

async function post(index: number, amount: number, reason: 'purchase' | 'bonus' | 'refund'): Promise<void> {
  const { accountId = '' } = accounts[index] ?? {};
  const [at, id] = [now, ids.next()];
  const posted = await store.accounts.post({ id, accountId, amount, reason, at });
  if (posted === 'posted') changes.push({ day: dayAt(at), credits: amount });
}

async function begin(index: number, cost: number): Promise<void> {
  const { accountId = '' } = accounts[index] ?? {};
  const task = aTask({ accountId, taskId: ids.next(), cost, createdAt: now });
  const { taskId, taskType } = task;
  const row = { id: ids.next(), accountId, amount: -cost, reason: 'generation', at: now, taskType, taskId } as const;
  const began = table.transact([debitAccount(task), insertTask(task, now), appendLedgerRow(row)]);
  await began.then(
    () => open.push(task),
    () => undefined,
  );
}

async function end(isCompleted: boolean): Promise<void> {
  const [task, ...others] = open;
  if (!task) return;
  open = others;
  const needs = { ...store, ...unreachable, clock, ids, metrics, logger: new RecordingLogger() };
  const how = isCompleted
    ? ({ status: 'completed', results: [] } as const)
    : ({ status: 'failed', code: 'PROVIDER_ERROR' } as const);
  await endTask({ ...needs, circuits: closedCircuits, engines: { named: () => undefined } }, task, how);
  if (isCompleted) change(-task.cost);
}

/** Audits with a table, and returns how many differences in unused credits it reports; a pass may need several calls. */
async function audit(over: Table = table, msPerAccount = 0, logger = new RecordingLogger()): Promise<number> {
  const stores = storesOf(over, clock);
  const find = (accountId: string) => {
    now += msPerAccount;
    return stores.accounts.find(accountId);
  };
  const needs = {
    ...stores,
    accounts: { ...stores.accounts, find },
    clock,
    logger,
    metrics,
    contentCertificate: { daysLeft: async () => undefined },
  };
  await auditLedger({}, needs as unknown as Parameters<typeof auditLedger>[1]);
  return logger.errors.filter(({ message }) => message === 'unused credits drift').length;
}

/** A table that fails after it has read a number of rows. */
function failing(afterRows: number): Table {
  let left = afterRows;
  return {
    ...table,
    async *walk(input) {
      for await (const item of table.walk(input)) {
        if (left === 0) throw new Error('the process died');
        left -= 1;
        yield item;
      }
    },
  };
}

const index = fc.nat(accounts.length - 1);
const amount = fc.integer({ min: 1, max: 50 });
const move = fc.oneof(
  fc.tuple(index, amount).map(
    ([of, credits]) =>
      () =>
        post(of, credits, 'purchase'),
  ),
  fc.tuple(index, amount).map(
    ([of, credits]) =>
      () =>
        post(of, credits, 'bonus'),
  ),
  fc.tuple(index, amount).map(
    ([of, credits]) =>
      () =>
        post(of, -credits, 'refund'),
  ),
  fc.tuple(index, amount).map(
    ([of, cost]) =>
      () =>
        begin(of, cost),
  ),
  fc.boolean().map((isCompleted) => () => end(isCompleted)),
);
const wait = fc.constantFrom(1, 5, 23, 50).map((hours) => async () => {
  now += hours * hourMs;
});
const action = fc.oneof(
  { weight: 6, arbitrary: move },
  { weight: 2, arbitrary: wait },
  { weight: 1, arbitrary: fc.constant(async () => expect(await audit()).toBe(0)) },
  { weight: 1, arbitrary: fc.nat(40).map((rows) => () => audit(failing(rows)).catch(() => undefined)) },
  // A pass that runs out of time and is continued by the next audit, perhaps on another day.
  { weight: 1, arbitrary: fc.constant(async () => expect(await audit(table, 60_000)).toBe(0)) },
  {
    weight: 2,
    arbitrary: fc.array(move, { minLength: 1, maxLength: 4 }).map((moves) => async () => {
      const [drifts] = await Promise.all([audit(), ...moves.map((one) => one())]);
      expect(drifts).toBe(0);
    }),
  },
);

/** Audits until a pass that began now is complete; a first one may continue an earlier pass or only suspect. */
const auditFully = async (): Promise<number> => (await audit()) + (await audit()) + (await audit());

const unusedNow = async () => (await reportFigures(store, dayAt(now), 'operation')).totals.unused;

beforeAll(async () => {
  const tester = anAccount({ accountId: testAccountOf(accounts[0]?.accountId ?? ''), balance: 900 });
  for (const account of [...accounts, tester]) await store.accounts.insert(account, undefined);
  for (const position of accounts.keys()) await post(position, 500, 'bonus');
});

test('unused credits are what was sold and given minus what was taken and used, on every day, despite races and interrupted audits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 30 }), async (actions) => {
      for (const act of actions) await act();
      expect(await auditFully()).toBe(0);
      const day = settledDay(clock);
      expect(await latestUnused(table, day)).toMatchObject({ day, credits: unusedThrough(day), isRecounted: true });
      expect(await unusedNow()).toBe(unusedThrough(dayAt(now)));
    }),
    modelRuns(10),
  );
}, 240_000);

const add = (key: { readonly pk: string; readonly sk: string }, name: string, by: number) =>
  table.update({
    Key: key,
    UpdateExpression: 'ADD #name :by',
    ExpressionAttributeNames: { '#name': name },
    ExpressionAttributeValues: { ':by': by },
  });

test.for([
  ['the stored sum', async () => add(unusedCreditsKey(settledDay(clock)), 'credits', 7)],
  ['the figures of an account', async () => add(figuresKey(accounts[1]?.accountId ?? '', dayAt(now)), 'given', 7)],
] as const)(
  'an error in %s is found on the next day, reported once, and mended from the ledgers',
  async ([, plant]) => {
    await auditFully();
    await plant();
    now += 48 * hourMs;
    const day = settledDay(clock);
    expect(await audit()).toBe(0);
    expect((await latestUnused(table, day))?.credits).toBe(unusedThrough(day) + 7);
    expect(await audit()).toBe(1);
    expect(metrics.recorded.at(-1)).toEqual([expect.objectContaining({ FigureDrift: 1 })]);
    expect(await audit()).toBe(0);
    expect(await latestUnused(table, day)).toMatchObject({ credits: unusedThrough(day), isRecounted: true });
  },
);

test('an error is mended although each day is counted only once, because a pass takes long', async () => {
  await auditFully();
  await add(unusedCreditsKey(settledDay(clock)), 'credits', 7);
  now += 24 * hourMs;
  expect(await audit()).toBe(0);
  now += 24 * hourMs;
  expect(await audit()).toBe(1);
  const day = settledDay(clock);
  expect(await latestUnused(table, day)).toMatchObject({ credits: unusedThrough(day), isRecounted: true });
});

test('a count without accounts that could not be read is not used, and the log says so', async () => {
  now += 48 * hourMs;
  const logger = new RecordingLogger();
  const { pk } = accountKey(accounts[1]?.accountId ?? '');
  const get: Table['get'] = (key) => (key.pk === pk ? Promise.reject(new Error('throttled')) : table.get(key));
  expect(await audit({ ...table, get }, 0, logger)).toBe(0);
  const day = settledDay(clock);
  expect(logger.warnings).toEqual([{ message: 'unused credits counted in part', day }]);
  expect(await latestUnused(table, day)).toMatchObject({ isRecounted: false });
});

test('credits of an erased account are no longer counted from the next day on', async () => {
  await post(0, 40, 'purchase');
  now += 48 * hourMs;
  await auditFully();
  const { accountId = '' } = accounts[0] ?? {};
  const { balance = 0 } = (await store.accounts.find(accountId)) ?? {};
  const held = open.filter((task) => task.accountId === accountId).reduce((sum, { cost }) => sum + cost, 0);
  expect(await unusedNow()).toBe(unusedThrough(dayAt(now)));
  await table.update({
    Key: accountKey(accountId),
    UpdateExpression: 'SET erasedAt = :now',
    ExpressionAttributeValues: { ':now': now },
  });
  now += 48 * hourMs;
  await auditFully();
  expect(await unusedNow()).toBe(unusedThrough(dayAt(now)) - balance - held);
});
