/** How often jobs that their engine loses are submitted again, under races and faults. */
import { Logger } from '@aws-lambda-powertools/logger';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { advanceJob } from '../../../shared/domain/engine-jobs/advance-job.ts';
import { mainJob, resubmissionLimit } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { stores } from '../../../shared/domain/stores.ts';
import { insertTask } from '../../../shared/domain/tasks/task-item.ts';
import type { Engine } from '../../../shared/engines/engine.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { settingsOf, settingVariables } from '../../../shared/platform/settings.ts';
import { modelRuns } from '../../support/model-runs.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { aTask, tableInTests, testIds, testTime } from '../../support/test-table.ts';

const host = await tableInTests();

type Fault = 'none' | 'before' | 'after';

const done = { status: 'done', outputs: [{ url: 'https://engine.example/1', contentType: 'audio/mpeg' }] } as const;
const givenUp = { status: 'failed', code: 'PROVIDER_ERROR' } as const;

/** An engine that creates a new job for every submission and loses the first ones that are polled. */
function forgetfulEngine(losses: number) {
  const live = new Set<string>();
  const lost = new Set<string>();
  const canceled = new Set<string>();
  let submissions = 0;
  const engine: Engine = {
    async submit() {
      submissions += 1;
      live.add(`job-${submissions}`);
      return { status: 'accepted', reference: `job-${submissions}`, completion: 'polling' };
    },
    async check(reference) {
      if (!lost.has(reference) && lost.size < losses) lost.add(reference);
      if (!lost.has(reference)) return done;
      live.delete(reference);
      return { status: 'lost' };
    },
    async cancel(reference) {
      live.delete(reference);
      canceled.add(reference);
    },
    readCallback: () => Promise.reject(new Error('no callback is expected here')),
    download: () => Promise.reject(new Error('nothing is downloaded here')),
  };
  return { engine, live, lost, canceled, submissions: () => submissions };
}

/** Makes writes fail as planned, before or after they take effect. */
function faultyTable(table: Table, faults: Fault[]): Table {
  return {
    ...table,
    async update(input) {
      const fault = faults.shift() ?? 'none';
      if (fault === 'before') throw new Error('the write failed');
      const item = await table.update(input);
      if (fault === 'after') throw new Error('the response was lost');
      return item;
    },
  };
}

const nothing = () => Promise.reject(new Error('nothing is stored here'));

async function startWorld(losses: number, faults: Fault[]) {
  const clock = { now: () => testTime };
  const task = aTask();
  await host.table.transact([insertTask(task, testTime)]);
  const maker = forgetfulEngine(losses);
  const reported: unknown[] = [];
  const report = async (_token: string, outcome: unknown) => reported.push(outcome) > 0;
  const needs = {
    ...stores(faultyTable(host.table, faults), clock),
    clock,
    settings: settingsOf({
      [settingVariables.engineCallbackKey]: 'a key',
      [settingVariables.apiUrl]: 'https://a.example',
    }),
    engines: { named: () => maker.engine },
    ids: testIds,
    inputs: { write: nothing, addressOf: nothing },
    logger: new Logger({ logLevel: 'SILENT' }),
    metrics: recordedMetrics(),
    secrets: { read: async (name: string) => name },
    workflow: { start: nothing, succeed: report, fail: report },
  };
  const job = { taskId: task.taskId, name: mainJob };
  const order = { engine: 'offline', deadlineAt: task.deadlineAt, request: async () => ({ input: {} }) };
  return {
    maker,
    reported,
    attempt: () => advanceJob(needs, job, 'token', () => order),
    row: () => stores(host.table, clock).engineJobs.find(job),
  };
}

type World = Awaited<ReturnType<typeof startWorld>>;

/** Runs attempts in waves until the job has an outcome; none of them may be stuck without one. */
async function settle({ attempt, row }: World, waves: readonly number[]): Promise<void> {
  for (const wave of waves) {
    await Promise.all(Array.from({ length: wave }, attempt));
    const { reference, lostReferences = [] } = await row();
    expect(lostReferences).not.toContain(reference);
    expect(new Set(lostReferences).size).toBe(lostReferences.length);
    expect(lostReferences.length).toBeLessThanOrEqual(resubmissionLimit + 1);
  }
  for (let tries = 0; tries < 3 * (resubmissionLimit + 2) && !(await row()).outcome; tries += 1) await attempt();
}

const losses = fc.integer({ min: 0, max: resubmissionLimit + 3 });
const waves = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 8 });

test('concurrent attempts leave one submission active and cancel every other one that the engine still has', async () => {
  await fc.assert(
    fc.asyncProperty(losses, waves, async (count, sizes) => {
      const world = await startWorld(count, []);
      await settle(world, sizes);
      const { outcome, reference, lostReferences = [] } = await world.row();
      expect(outcome).toEqual(lostReferences.length > resubmissionLimit ? givenUp : done);
      expect([...world.maker.live].filter((live) => live !== reference)).toEqual([]);
      expect(world.reported).toContainEqual(outcome);
    }),
    modelRuns(12),
  );
});

test('a lost job is recorded at most three times and always ends with an outcome, whichever writes fail', async () => {
  const fault = fc.constantFrom<Fault[]>('none', 'none', 'before', 'after');
  await fc.assert(
    fc.asyncProperty(losses, waves, fc.array(fault, { maxLength: 20 }), async (count, sizes, faults) => {
      const world = await startWorld(count, faults);
      await settle(world, sizes);
      for (let rest = faults.length; rest > 0; rest -= 1) await world.attempt();
      await settle(world, []);
      const { outcome, lostReferences = [] } = await world.row();
      expect(outcome).toEqual(lostReferences.length > resubmissionLimit ? givenUp : done);
    }),
    modelRuns(12),
  );
});
