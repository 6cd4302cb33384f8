/**
 * A day with tasks of many kinds: its figures equal those that were counted by hand, and the audit finds an error in
 * each of the sources.
 */
import { beforeAll, expect, test } from 'vitest';
import { debitAccount } from '../../../shared/domain/accounts/account-store.ts';
import { auditFigures } from '../../../shared/domain/accounts/audit-figures.ts';
import { appendLedgerRow } from '../../../shared/domain/accounts/ledger-store.ts';
import { mainJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { recordAcceptance, recordOutcome } from '../../../shared/domain/engine-jobs/record-report.ts';
import { reportFigures } from '../../../shared/domain/figures/report-figures.ts';
import { figuresKey } from '../../../shared/domain/figures-keys.ts';
import { jobKey } from '../../../shared/domain/keys.ts';
import { stores as storesOf } from '../../../shared/domain/stores.ts';
import { type End, endTask } from '../../../shared/domain/task-lifecycle/end-task.ts';
import { remainsOf } from '../../../shared/domain/tasks/deleted-task.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { insertTask } from '../../../shared/domain/tasks/task-item.ts';
import { testAccountOf } from '../../../shared/domain/test-account.ts';
import type { EngineOutcome } from '../../../shared/engines/engine.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { unreachable } from '../../support/end-unnotified.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { anAccount, aTask, tableInTests, testTime } from '../../support/test-table.ts';

const day = '2030-01-01';
const clock = { now: () => testTime };
const ids = randomIds(clock);

const host = await tableInTests();
const store = { ...storesOf(host.table, clock), circuits: closedCircuits };
const needs = {
  ...store,
  ...unreachable,
  clock,
  ids,
  logger: new RecordingLogger(),
  metrics: recordedMetrics(),
  engines: { named: () => undefined },
};

const speech = {
  taskType: 'voice',
  engine: 'elevenlabs',
  route: 'elevenlabs/multilingual-v2',
  input: { text: 'x'.repeat(20) },
  enginePrices: { make: { per: 'character', micros: 100, statedMicros: 100, charged: [] } },
} as const satisfies Partial<Task>;
const pictures = {
  taskType: 'image',
  engine: 'fal',
  route: 'fal/nano-banana-2',
  input: { numImages: 2 },
  cost: 8,
  enginePrices: { make: { per: 'output', micros: 80_000, charged: ['rejected', 'canceled', 'lost'] } },
} as const satisfies Partial<Task>;

const output = { url: 'https://engine.example/1', contentType: 'image/png' };
const done = (units?: number): EngineOutcome => ({
  status: 'done',
  outputs: [output, output],
  ...(units !== undefined && { charge: { units } }),
});
const failed = (code: 'CONTENT_REJECTED' | 'PROVIDER_ERROR'): EngineOutcome => ({ status: 'failed', code });

const completed: End = { status: 'completed', results: [] };
const canceled: End = { status: 'failed', code: 'CANCELED' };

/** What happens to a task, and what its engine charges for that, typed by hand. */
interface Case {
  readonly task: Partial<Task>;
  /** How often the engine loses the job before it finally keeps it. */
  readonly losses?: number;
  readonly isAccepted: boolean;
  readonly outcome?: EngineOutcome;
  readonly end: End;
  readonly micros: number;
}

const cases: readonly Case[] = [
  { task: speech, isAccepted: false, outcome: done(17), end: completed, micros: 1700 },
  { task: speech, isAccepted: false, outcome: done(), end: completed, micros: 2000 },
  { task: speech, isAccepted: false, outcome: failed('CONTENT_REJECTED'), end: fail('CONTENT_REJECTED'), micros: 0 },
  { task: pictures, isAccepted: true, outcome: done(2), end: completed, micros: 160_000 },
  { task: pictures, isAccepted: true, outcome: failed('PROVIDER_ERROR'), end: fail('PROVIDER_ERROR'), micros: 0 },
  {
    task: pictures,
    isAccepted: true,
    outcome: failed('CONTENT_REJECTED'),
    end: fail('CONTENT_REJECTED'),
    micros: 160_000,
  },
  { task: pictures, isAccepted: true, end: canceled, micros: 160_000 },
  { task: pictures, isAccepted: false, end: canceled, micros: 0 },
  { task: pictures, losses: 1, isAccepted: true, outcome: done(2), end: completed, micros: 320_000 },
  // The results cannot be stored, but the engine charges for them.
  { task: pictures, isAccepted: true, outcome: done(2), end: fail('INTERNAL_ERROR'), micros: 160_000 },
];

function fail(code: 'CONTENT_REJECTED' | 'PROVIDER_ERROR' | 'INTERNAL_ERROR'): End {
  return { status: 'failed', code };
}

async function accept(task: Task, reference: string): Promise<void> {
  const acceptance = { engine: task.engine, reference, completion: 'callback', deadlineAt: task.deadlineAt } as const;
  // Two attempts may record the engine's response at the same time.
  await Promise.all([1, 2].map(() => recordAcceptance(needs, task, mainJob, acceptance)));
}

/** A task from its creation to its end; every report and end arrives twice. */
async function live(accountId: string, { task: given, losses = 0, isAccepted, outcome, end }: Case): Promise<void> {
  const task = aTask({ ...given, accountId, taskId: ids.next() });
  const { taskId, cost, taskType } = task;
  const debit = {
    id: ids.next(),
    accountId,
    amount: -cost,
    reason: 'generation',
    at: testTime,
    taskType,
    taskId,
  } as const;
  await host.table.transact([debitAccount(task), insertTask(task, testTime), appendLedgerRow(debit)]);
  for (let loss = 0; loss < losses; loss += 1) {
    await accept(task, `lost-${loss}`);
    await store.engineJobs.recordLoss({ taskId, name: mainJob }, `lost-${loss}`);
  }
  if (isAccepted) await accept(task, 'r-1');
  if (outcome) await Promise.all([1, 2].map(() => recordOutcome(needs, task, mainJob, outcome, isAccepted)));
  await Promise.all([1, 2].map(() => endTask(needs, task, end)));
}

const accounts = Array.from({ length: 5 }, () => anAccount({ balance: 0 }));
const tester = anAccount({ accountId: testAccountOf(accounts[0]?.accountId ?? ''), balance: 10_000 });
const opening = 10_000;
const rounds = 10;

beforeAll(async () => {
  await store.accounts.insert(tester, undefined);
  const days = accounts.map(async (account) => {
    const { accountId } = account;
    await store.accounts.insert(account, undefined);
    await store.accounts.post({ id: ids.next(), accountId, amount: opening, reason: 'bonus', at: testTime });
    for (let round = 0; round < rounds; round += 1) for (const one of cases) await live(accountId, one);
  });
  const tests = cases.map((one) => live(tester.accountId, one));
  await Promise.all([...days, ...tests]);
}, 300_000);

const audits = () => Promise.all(accounts.map(({ accountId }) => auditFigures(needs, accountId, day)));
const times = accounts.length * rounds;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The expected figures of a task type, counted by hand. */
function byHand(taskType: string) {
  const own = cases.filter(({ task }) => task.taskType === taskType);
  const failures = own.flatMap(({ end }) => (end.status === 'failed' ? [end.code] : []));
  const price = taskType === 'voice' ? 3 : 8;
  return {
    tasks: own.length * times,
    failed: failures.length * times,
    failures: Object.fromEntries(
      [...Map.groupBy(failures, (code) => code)].map(([code, all]) => [code, all.length * times]),
    ),
    credits: (own.length - failures.length) * times * price,
    refunded: failures.length * times * price,
    costMicros: sum(own.map(({ micros }) => micros)) * times,
  };
}

test('the daily figures of 500 tasks with failures, cancellations, retries and repeated reports match a manual count', async () => {
  await store.catalog.change('engine-prices', { credit: { micros: 20_000 } });
  const { rows, totals } = await reportFigures(store, day, 'engine');
  const expected = (['voice', 'image'] as const).map((taskType) => {
    const counts = byHand(taskType);
    const worthMicros = counts.credits * 20_000;
    const name = taskType === 'voice' ? 'elevenlabs' : 'fal';
    return { name, ...counts, worthMicros, marginMicros: worthMicros - counts.costMicros };
  });
  expect(rows).toEqual(expected);
  expect(sum(rows.map(({ tasks }) => tasks))).toBe(500);
  const balances = await Promise.all(accounts.map(({ accountId }) => store.accounts.find(accountId)));
  expect(totals).toMatchObject({
    creditsGiven: accounts.length * opening,
    unusedChange: sum(balances.map((account) => account?.balance ?? 0)),
  });
  const { rows: perAccount } = await reportFigures(store, day, 'account');
  expect(perAccount.map(({ name }) => name)).toEqual(accounts.map(({ accountId }) => accountId).toSorted());
  const { rows: perOperation } = await reportFigures(store, day, 'operation');
  expect(perOperation.map(({ name }) => name)).toEqual(['generateImage', 'generateVoice']);
});

/** Deletes the latest tasks of an account: those of two rounds. */
async function deleteTasks(accountId: string): Promise<void> {
  for (const taskId of await store.tasks.ids(accountId, {}, { limit: 2 * cases.length, offset: 0 })) {
    const task = await store.tasks.find(taskId);
    if (!task) throw new Error('the task is not found');
    expect(await store.deletedTasks.replace(task, remainsOf(task, testTime))).toBe(true);
    await store.engineJobs.erase(taskId, testTime);
  }
}

test('the audit accepts correct daily figures, even of deleted tasks, and finds each error planted in figures or ledger', async () => {
  const [{ accountId } = anAccount(), other = anAccount(), third = anAccount(), fourth = anAccount()] = accounts;
  await deleteTasks(fourth.accountId);
  expect(await audits()).toEqual(accounts.map(() => []));
  const add = (key: { readonly pk: string; readonly sk: string }, name: string, amount: number) =>
    host.table.update({
      Key: key,
      UpdateExpression: 'ADD #name :amount',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':amount': amount },
    });
  await add(figuresKey(accountId, day), 'cost image fal', 1);
  await add(figuresKey(fourth.accountId, day), 'cost image fal', 1);
  await add(figuresKey(fourth.accountId, day), 'tasks voice elevenlabs', 1);
  const [latest = ''] = await store.tasks.ids(other.accountId, { taskType: 'image' }, { limit: 1, offset: 0 });
  await add(jobKey(latest, mainJob), 'costMicros', 5);
  const stray = { id: ids.next(), accountId: third.accountId, amount: 9, reason: 'bonus', at: testTime } as const;
  await host.table.transact([appendLedgerRow(stray)]);
  const found = (await audits())
    .flat()
    .map(({ accountId: of, figure, counted, recounted }) => [of, figure, recounted - counted]);
  expect(found).toEqual([
    [accountId, 'cost image fal', -1],
    [other.accountId, 'cost image fal', 5],
    [third.accountId, 'given', 9],
    // For deleted tasks, only the sum of the costs at all engines is known.
    [fourth.accountId, 'cost image', -1],
    [fourth.accountId, 'tasks voice elevenlabs', -1],
  ]);
});
