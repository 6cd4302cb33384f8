/**
 * Steps of the clips workflow crash at their start or end, or while they record a job. Other invocations complete their
 * work, and no job is done twice.
 */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type LocalFunctions, localFunctions } from '../../infra/local/functions.ts';
import type { LambdaHandler } from '../../infra/local/lambda-host.ts';
import { clipJob } from '../../shared/domain/clips/clip-task.ts';
import { mainJob } from '../../shared/domain/engine-jobs/engine-job.ts';
import type { Definition } from '../../shared/runtime/context.ts';
import type { FullContext } from '../../shared/runtime/full-context.ts';
import { allJobs, startClipScene } from './clip-scene.ts';

const steps = ['planCopy', 'copyPart', 'completeCopy', 'askClipEngine', 'rankClips', 'reportClips'] as const;

/** Whether an invocation crashes, by how often the step was called for the same work. */
type Crash = (name: string, when: 'before' | 'after', call: number) => boolean | Promise<boolean>;

/**
 * Whether an invocation crashes while it records that a job was accepted, by how often this happened for the same job.
 */
type CrashInRecording = (when: 'before' | 'after', attempt: number) => boolean;

let crash: Crash;
let crashInRecording: CrashInRecording;
/** The number of calls by step or by job. */
let counts: Map<string, number>;
/** The invocations that are currently running for the same work: on a slow machine, one may outlast its time limit. */
let running: Map<string, number>;
/** How often two invocations worked on the same job concurrently, so that each may have sent it. */
let overlaps: Map<string, number>;
/** The started invocations of each step, and the progress of its task at that time. */
let begun: { readonly work: string; readonly progress: number }[];

const counted = (...names: readonly unknown[]): number => {
  const key = JSON.stringify(names);
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
};

async function noteWork(work: string, taskId: string): Promise<void> {
  const task = await scene.host.service.context.tasks.find(taskId);
  begun.push({ work, progress: task?.progress ?? -1 });
}

interface StepEvent {
  readonly taskId: string;
  readonly work?: 'transcribe' | 'cut' | 'crop' | 'poster';
  readonly clip?: number;
}

const jobOf = ({ work = 'transcribe', clip = 0 }: StepEvent): string =>
  work === 'transcribe' ? work : clipJob(work, clip);

async function observed<Result>(job: string, run: () => Promise<Result>): Promise<Result> {
  const others = running.get(job) ?? 0;
  if (others > 0) overlaps.set(job, (overlaps.get(job) ?? 0) + 1);
  running.set(job, others + 1);
  try {
    return await run();
  } finally {
    running.set(job, (running.get(job) ?? 1) - 1);
  }
}

const mortal = (name: string, handler: LambdaHandler): LambdaHandler => {
  const dying = async (event: StepEvent, context: never): Promise<unknown> => {
    const call = counted(name, event.taskId, event.work, event.clip);
    if (call === 1) await noteWork(event.work ?? name, event.taskId);
    if (await crash(name, 'before', call)) throw new Error('died before');
    const result = await observed(name === 'askClipEngine' ? jobOf(event) : name, () =>
      (handler as (event: unknown, context: unknown) => Promise<unknown>)(event, context),
    );
    if (await crash(name, 'after', call)) throw new Error('died after');
    return result;
  };
  return dying as unknown as LambdaHandler;
};

const mortalRecording = (context: FullContext): FullContext => ({
  ...context,
  engineJobs: {
    ...context.engineJobs,
    async recordAcceptance(job, acceptance) {
      const attempt = counted('recording', job.taskId, job.name);
      if (job.name !== mainJob && crashInRecording('before', attempt)) throw new Error('died before recording');
      const state = await context.engineJobs.recordAcceptance(job, acceptance);
      if (job.name !== mainJob && crashInRecording('after', attempt)) throw new Error('died after recording');
      return state;
    },
  },
});

const isStep = (name: string) => [...steps, 'finalize', 'settleExecution'].includes(name);
const mortalFunctions: LocalFunctions = Object.fromEntries(
  Object.entries(localFunctions).map(([name, { definition, timeoutSeconds }]) => {
    const made: Definition<LambdaHandler> = (context) =>
      mortal(name, definition(mortalRecording(context as FullContext)) as LambdaHandler);
    return [name, { definition: isStep(name) ? made : definition, timeoutSeconds }];
  }),
);

// Jobs that were sent only once also began only once.
const scene = await startClipScene({ functions: mortalFunctions, honorsIdempotencyKeys: false });
afterAll(() => scene.close());
beforeEach(() => {
  counts = new Map();
  running = new Map();
  overlaps = new Map();
  begun = [];
  crash = () => false;
  crashInRecording = () => false;
  return scene.begin();
});

const stageOf: Readonly<Record<string, readonly [min: number, below: number]>> = {
  planCopy: [0, 15],
  copyPart: [0, 15],
  completeCopy: [0, 15],
  transcribe: [15, 55],
  rankClips: [15, 55],
  cut: [55, 100],
  crop: [55, 100],
  poster: [55, 100],
};

/** Every stage was shown when it began, and the progress never decreased. */
function expectStages(progress: readonly number[]): void {
  expect(new Set(begun.map(({ work }) => work))).toEqual(new Set([...Object.keys(stageOf), 'reportClips', 'finalize']));
  for (const { work, progress: shown } of begun) {
    const [min, below] = stageOf[work] ?? [55, 100];
    expect(shown, work).toBeGreaterThanOrEqual(min);
    expect(shown, work).toBeLessThan(below);
  }
  expect(progress).toEqual(progress.toSorted((one, other) => one - other));
  expect(progress.at(-1)).toBe(100);
}

/** Every job was sent, and none more often than allowed. */
function expectSent(taskId: string, max: number): void {
  expect(scene.jobsOf(taskId)).toEqual(allJobs);
  for (const job of allJobs) {
    const sent = scene.submissionsOf(taskId).filter((one) => one === job).length;
    expect(sent, job).toBeLessThanOrEqual(max + (overlaps.get(job) ?? 0));
  }
}

test.for([
  ['at its start', 'before'],
  ['at its end', 'after'],
] as const)(
  'if every step of the clips workflow crashes once %s, all clips are cut, no job is sent twice, and progress is shown',
  async ([, when]) => {
    crash = (name, at, call) => (steps as readonly string[]).includes(name) && at === when && call === 1;
    const taskId = await scene.cut();
    const { task, progress } = await scene.followed(taskId);
    await scene.expectEnd(taskId, task);
    expect(task.results).toHaveLength(3);
    expectSent(taskId, 1);
    expectStages(progress);
  },
);

test('if every step of the clips workflow crashes once after recording an accepted job, no job is sent twice', async () => {
  let deaths = 0;
  crashInRecording = (when, attempt) => {
    const dies = when === 'after' && attempt === 1;
    if (dies) deaths += 1;
    return dies;
  };
  const taskId = await scene.cut();
  const { task } = await scene.followed(taskId);
  await scene.expectEnd(taskId, task);
  expect(task.results).toHaveLength(3);
  expect(deaths).toBe(allJobs.length);
  expectSent(taskId, 1);
});

test('if every step of the clips workflow crashes once before recording an accepted job, it sends the job again under the same name', async () => {
  crashInRecording = (when, attempt) => when === 'before' && attempt === 1;
  const taskId = await scene.cut();
  const { task } = await scene.followed(taskId);
  await scene.expectEnd(taskId, task);
  expect(task.results).toHaveLength(3);
  expectSent(taskId, 2);
  // This job is the only one without a callback, which could arrive before the job is sent again.
  expect(scene.submissionsOf(taskId).filter((job) => job === 'transcribe').length).toBeGreaterThan(1);
});

test.each(steps.filter((name) => name !== 'reportClips'))(
  'when the step %s always crashes, the clips task is refunded once and none of its files are kept',
  async (dying) => {
    crash = (name, when) => name === dying && when === 'before';
    const taskId = await scene.cut();
    const { task } = await scene.followed(taskId);
    await scene.expectEnd(taskId, task, 'INTERNAL_ERROR');
  },
);

test('if the clips workflow fails after it has reported the clips, the task is still completed with those clips', async () => {
  const settled = Promise.withResolvers<void>();
  crash = async (name, when) => {
    if (name === 'finalize' && when === 'before') await settled.promise;
    if (name === 'settleExecution' && when === 'after') settled.resolve();
    return name === 'reportClips' && when === 'after';
  };
  const taskId = await scene.cut();
  const { task } = await scene.followed(taskId);
  expect(task).toMatchObject({ status: 'completed', creditsRefunded: 0 });
  expect(task.results).toHaveLength(3);
  expect(await scene.executionOf(taskId)).toBe('FAILED');
  expect(await scene.isStored(taskId)).toBe(false);
  await scene.host.audit();
});

test('when the step that reports the clips always crashes, the failed workflow still ends the task with a refund', async () => {
  crash = (name, when) => name === 'reportClips' && when === 'before';
  const taskId = await scene.cut({ videoUrl: scene.goneUrl });
  const { task } = await scene.followed(taskId);
  expect(task).toMatchObject({ status: 'failed', creditsRefunded: 17 });
  expect(await scene.executionOf(taskId)).toBe('FAILED');
  await scene.host.audit();
});
