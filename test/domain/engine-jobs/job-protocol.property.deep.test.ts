/** Several engine jobs of one task, with attempts and callbacks in any order: early, lost, late and repeated. */
import { Logger } from '@aws-lambda-powertools/logger';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { advanceJob } from '../../../shared/domain/engine-jobs/advance-job.ts';
import { isCurrent, type JobId, resubmissionLimit } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { recordOutcome } from '../../../shared/domain/engine-jobs/record-report.ts';
import { stopJobs } from '../../../shared/domain/engine-jobs/stop-jobs.ts';
import { stores } from '../../../shared/domain/stores.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { insertTask } from '../../../shared/domain/tasks/task-item.ts';
import type { Engine, EngineJob } from '../../../shared/engines/engine.ts';
import { settingsOf, settingVariables } from '../../../shared/platform/settings.ts';
import { modelRuns } from '../../support/model-runs.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { aTask, tableInTests, testIds, testTime } from '../../support/test-table.ts';

const host = await tableInTests();

const names = ['make', 'transcribe', 'cut-01'] as const;
type Name = (typeof names)[number];

const done = { status: 'done', outputs: [{ url: 'https://engine.example/1', contentType: 'audio/mpeg' }] } as const;
const failed = { status: 'failed', code: 'CONTENT_REJECTED' } as const;

const settings = settingsOf({
  [settingVariables.engineCallbackKey]: 'an idempotency key',
  [settingVariables.apiUrl]: 'https://api.example',
});

/** An engine that accepts every job, under a new reference for each submission, and can lose what it accepted. */
function forgetfulEngine() {
  const known = new Map<string, string>();
  const canceled = new Set<string>();
  const callbackUrls = new Map<string, string>();
  let submissions = 0;
  const engine: Engine = {
    async submit({ taskId: key, callbackUrl }: EngineJob) {
      submissions += 1;
      const reference = known.get(key) ?? `${key}/${submissions}`;
      known.set(key, reference);
      callbackUrls.set(key, callbackUrl);
      return { status: 'accepted', reference, completion: 'callback' };
    },
    check: async (reference) =>
      [...known.values()].includes(reference) ? { status: 'running', progress: 10 } : { status: 'lost' },
    cancel: async (reference) => void canceled.add(reference),
    readCallback: () => Promise.reject(new Error('no callback is expected here')),
    download: () => Promise.reject(new Error('nothing is downloaded here')),
  };
  return { engine, known, canceled, callbackUrls };
}

const nothing = () => Promise.reject(new Error('nothing is stored here'));

async function startWorld() {
  const clock = { now: () => testTime };
  const store = stores(host.table, clock);
  const task = aTask();
  await host.table.transact([insertTask(task, testTime)]);
  const maker = forgetfulEngine();
  const reported = new Map<string, unknown>();
  const needs = {
    ...store,
    clock,
    settings,
    engines: { named: () => maker.engine },
    ids: testIds,
    inputs: { write: nothing, addressOf: nothing },
    logger: new Logger({ logLevel: 'SILENT' }),
    metrics: recordedMetrics(),
    secrets: { read: async (name: string) => name },
    workflow: {
      start: nothing,
      succeed: async (token: string, outcome: object) => Boolean(reported.set(token, outcome)),
      fail: async (token: string, error: string) => Boolean(reported.set(token, error)),
    },
  };
  return { needs, task, maker, reported };
}

type World = Awaited<ReturnType<typeof startWorld>>;

const keyOf = ({ taskId }: Task, name: Name): string => (name === 'make' ? taskId : `${taskId}.${name}`);

const attempt = ({ needs, task }: World, name: Name, token: string): Promise<void> =>
  advanceJob(needs, { taskId: task.taskId, name }, token, () => ({
    engine: 'offline',
    deadlineAt: task.deadlineAt,
    request: async () => ({ input: {} }),
  }));

/** Processes a signed report about a reference like the callback's function. */
async function callBack({ needs, task }: World, name: Name, reference: string, how: 'done' | 'failed'): Promise<void> {
  const job = { taskId: task.taskId, name };
  if (!isCurrent(await needs.engineJobs.find(job), (known) => known === reference)) return;
  const { token, outcome } = await recordOutcome(needs, task, name, how === 'done' ? done : failed, true);
  if (token !== undefined) await needs.workflow.succeed(token, outcome);
}

interface Event {
  readonly kind: 'attempt' | 'call back' | 'call back about an earlier job' | 'lose';
  readonly name: Name;
  readonly how: 'done' | 'failed';
}

const earlierJob = 'call back about an earlier job';

const event: fc.Arbitrary<Event> = fc.record({
  kind: fc.constantFrom<Event['kind'][]>(
    'attempt',
    'attempt',
    'attempt',
    'lose',
    'lose',
    'call back',
    earlierJob,
    earlierJob,
  ),
  name: fc.constantFrom(...names),
  how: fc.constantFrom<Event['how'][]>('done', 'failed'),
});

interface Course {
  readonly world: World;
  /** References that the service knows to be lost, by job. */
  readonly lost: Map<Name, string>;
  readonly first: Map<Name, object>;
  readonly losses: Map<Name, number>;
  tokens: number;
}

/** An attempt that finds a job lost for the third time ends the job. */
async function attemptIn({ world, lost, first, losses }: Course, name: Name, token: string): Promise<void> {
  const before = await world.needs.engineJobs.find({ taskId: world.task.taskId, name });
  const isLost = before.reference !== undefined && before.reference !== world.maker.known.get(keyOf(world.task, name));
  await attempt(world, name, token);
  if (!isLost || before.reference === undefined || before.outcome) return;
  lost.set(name, before.reference);
  const count = (losses.get(name) ?? 0) + 1;
  losses.set(name, count);
  if (count > resubmissionLimit) first.set(name, { status: 'failed', code: 'PROVIDER_ERROR' });
}

async function happen(course: Course, { kind, name, how }: Event): Promise<void> {
  const { world, lost, first } = course;
  const key = keyOf(world.task, name);
  const reference = world.maker.known.get(key);
  if (kind === 'attempt') {
    course.tokens += 1;
    await attemptIn(course, name, `token-${course.tokens}`);
  }
  if (kind === 'lose') world.maker.known.delete(key);
  if (kind === 'call back' && reference !== undefined) {
    await callBack(world, name, reference, how);
    const { outcome } = await world.needs.engineJobs.find({ taskId: world.task.taskId, name });
    if (outcome && !first.has(name)) first.set(name, outcome);
  }
  const earlier = lost.get(name);
  if (kind === 'call back about an earlier job' && earlier !== undefined) {
    await callBack(world, name, earlier, how);
    const { outcome } = await world.needs.engineJobs.find({ taskId: world.task.taskId, name });
    expect(outcome).toEqual(first.get(name));
  }
}

async function holdJob(course: Course, job: JobId & { name: Name }): Promise<void> {
  const { world, first } = course;
  const before = await world.needs.engineJobs.find(job);
  expect(before.outcome).toEqual(first.get(job.name));
  const token = `last-${job.name}`;
  await attemptIn(course, job.name, token);
  expect(world.reported.get(token)).toEqual(first.get(job.name));
}

test('the first outcome of the current job is kept and reaches the waiting execution, in any order of events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 30, size: 'max' }), async (events) => {
      const course: Course = {
        world: await startWorld(),
        lost: new Map(),
        first: new Map(),
        losses: new Map(),
        tokens: 0,
      };
      const { needs, maker, task } = course.world;
      for (const one of events) await happen(course, one);
      for (const name of names) await holdJob(course, { taskId: task.taskId, name });

      await stopJobs(needs, task.taskId, 'CANCELED');
      const jobs = await needs.engineJobs.list(task.taskId);
      expect(jobs.map(({ name }) => name)).toEqual([...names].toSorted());
      for (const { name, outcome, reference } of jobs) {
        const finished = course.first.get(name as Name);
        expect(outcome).toEqual(finished ?? { status: 'failed', code: 'CANCELED' });
        if (finished) continue;
        expect(maker.canceled).toContain(reference);
        expect(course.world.reported.get(`last-${name}`)).toEqual(outcome);
      }
      expect(new Set(maker.callbackUrls.values()).size).toBe(names.length);
    }),
    modelRuns(20),
  );
});
