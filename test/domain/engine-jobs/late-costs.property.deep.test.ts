/**
 * Jobs of a clips task that begin, are accepted or end while the task ends, and calls of language models that rank its
 * passages: their cost is counted exactly once.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { debitAccount } from '../../../shared/domain/accounts/account-store.ts';
import { advanceJob } from '../../../shared/domain/engine-jobs/advance-job.ts';
import { addRankingCost, costsOf } from '../../../shared/domain/engine-jobs/engine-costs.ts';
import { findFigures } from '../../../shared/domain/figures/figures-store.ts';
import { stores } from '../../../shared/domain/stores.ts';
import { type End, endTask } from '../../../shared/domain/task-lifecycle/end-task.ts';
import { insertTask } from '../../../shared/domain/tasks/task-item.ts';
import type { Engine } from '../../../shared/engines/engine.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { settingsOf, settingVariables } from '../../../shared/platform/settings.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { unreachable } from '../../support/end-unnotified.ts';
import { modelRuns } from '../../support/model-runs.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { anAccount, aTask, tableInTests, testIds, testTime } from '../../support/test-table.ts';

const host = await tableInTests();
const clock = { now: () => testTime };
const settings = settingsOf({
  [settingVariables.engineCallbackKey]: 'an idempotency key',
  [settingVariables.apiUrl]: 'https://api.example',
});

const outputs = [{ url: 'https://engine.example/1', contentType: 'video/mp4' }];
/**
 * How an engine responds to a submission, and what it then charges (typed by hand), at a price that includes canceled
 * jobs.
 */
const answers = {
  accepted: { answer: { status: 'accepted', reference: 'r-1', completion: 'callback' }, micros: 7 },
  done: { answer: { status: 'done', outputs }, micros: 7 },
  'done for a stated charge': { answer: { status: 'done', outputs, charge: { units: 3 } }, micros: 30 },
  failed: { answer: { status: 'failed', code: 'PROVIDER_ERROR' }, micros: 0 },
} as const;
type Answer = keyof typeof answers;

const price = { per: 'job', micros: 7, statedMicros: 10, charged: ['canceled'] } as const;

/** A table whose requests are performed in an order that the test's scheduler chooses. */
function scheduled(table: Table, turn: () => Promise<void>): Table {
  const later =
    <Given extends readonly unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      await turn();
      return call(...given);
    };
  return {
    ...table,
    get: later((...given) => table.get(...given)),
    put: later((...given) => table.put(...given)),
    update: later((...given) => table.update(...given)),
    transact: later((...given) => table.transact(...given)),
    async *walk(...given) {
      await turn();
      yield* table.walk(...given);
    },
  };
}

const names = ['transcribe', 'cut-01', 'cut-02'] as const;

interface Plan {
  readonly jobs: readonly (readonly [name: string, answer: Answer])[];
  /** What each call of a language model costs. */
  readonly rankings: readonly number[];
  readonly end: End;
}

async function race(scheduler: fc.Scheduler, { jobs, rankings, end }: Plan) {
  const enginePrices = { make: { ...price, charged: [] }, transcribe: price, cut: price };
  const task = aTask({ taskType: 'cortes', route: 'clips/fal', engine: 'clips', enginePrices });
  const { accountId, taskId } = task;
  const before = stores(host.table, clock);
  await before.accounts.insert(anAccount({ accountId, balance: task.cost }), undefined);
  await host.table.transact([debitAccount(task), insertTask(task, testTime)]);

  const store = stores(
    scheduled(host.table, () => scheduler.schedule(Promise.resolve())),
    clock,
  );
  const submitted: Answer[] = [];
  const engineOf = (answer: Answer): Engine => ({
    async submit() {
      submitted.push(answer);
      return answers[answer].answer;
    },
    check: async () => ({ status: 'running', progress: 10 }),
    cancel: async () => undefined,
    readCallback: () => Promise.reject(new Error('not used here')),
    download: () => Promise.reject(new Error('not used here')),
  });
  const shared = { ...store, clock, settings, ids: testIds, logger: new RecordingLogger(), metrics: recordedMetrics() };
  const workflow = { ...unreachable.workflow, succeed: async () => true, fail: async () => true };
  const attempts = jobs.map(([name, answer]) =>
    advanceJob(
      {
        ...shared,
        workflow,
        engines: { named: () => engineOf(answer) },
        inputs: { write: async () => 0, addressOf: async () => '' },
        secrets: { read: async (secret: string) => secret },
      },
      { taskId, name },
      'a token',
      ({ deadlineAt }) => ({ engine: 'fal', deadlineAt, request: async () => ({ input: {} }) }),
    ),
  );
  const needs = { ...shared, ...unreachable, workflow, circuits: closedCircuits };
  const ending = endTask(needs, task, end);
  const ranked = rankings.map((micros) => addRankingCost(store, taskId, { engine: 'fal', micros }));
  await scheduler.waitFor(Promise.all([ending, ...attempts, ...ranked]));
  return { accountId, taskId, before, submitted };
}

const day = '2030-01-01';
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const jobsOf = fc.tuple(
  ...names.map((name) => fc.tuple(fc.constant(name), fc.constantFrom(...(Object.keys(answers) as Answer[])))),
);
const rankings = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 });
const plans: fc.Arbitrary<Plan> = fc.oneof(
  fc.record({ jobs: jobsOf, rankings, end: fc.constant({ status: 'failed', code: 'CANCELED' } as const) }),
  // A task completes when its jobs are done, but another attempt may still rank its passages.
  fc.record({
    jobs: fc.constant([]),
    rankings,
    end: fc.constant({ status: 'completed', results: [] } as const),
  }),
);

test('the cost of an ended task’s engine jobs and language models is counted once, whenever they begin, are accepted or end', async () => {
  let late = 0;
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), plans, async (scheduler, plan) => {
      const { accountId, taskId, before, submitted } = await race(scheduler, plan);
      const task = await before.tasks.find(taskId);
      if (!task) throw new Error('the task is not found');
      const jobs = await before.engineJobs.list(taskId);
      const byHand = sum([...submitted.map((answer) => answers[answer].micros), ...plan.rankings]);
      const counted = await findFigures(host.table, accountId, day);
      expect(task.engineCost ?? 0).toBe(byHand);
      expect(sum(costsOf(task, jobs).map(({ micros }) => micros))).toBe(byHand);
      expect(sum(Object.entries(counted).map(([name, amount]) => (name.startsWith('cost ') ? amount : 0)))).toBe(
        byHand,
      );
      if (plan.rankings.length > 0) expect(jobs.find(({ name }) => name === 'rank')?.engine).toBe('fal');
      if (submitted.length > 0 && byHand > 0) late += 1;
    }),
    modelRuns(60),
  );
  expect(late).toBeGreaterThan(0);
});
