/** Steps of the workflow of clips that die in the middle of their work: others complete it, and no job is done twice. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { wrapFunctions } from '../../infra/local/functions.ts';
import type { LambdaHandler } from '../../infra/local/lambda-host.ts';
import { allJobs, type ClipScene, jobCounts, startClipScene } from './clip-scene.ts';

const steps = ['planCopy', 'copyPart', 'completeCopy', 'askClipEngine', 'rankClips', 'reportClips'] as const;

/** Whether an invocation dies, by how often the step was called for the same work. */
type Crash = (name: string, when: 'before' | 'after', call: number) => boolean | Promise<boolean>;

let crash: Crash;
let calls: Map<string, number>;

const mortal = (name: string, handler: LambdaHandler): LambdaHandler => {
  const dying = async (event: Readonly<Record<string, unknown>>, context: never): Promise<unknown> => {
    const work = JSON.stringify([name, event.taskId, event.work, event.clip]);
    const call = (calls.get(work) ?? 0) + 1;
    calls.set(work, call);
    if (await crash(name, 'before', call)) throw new Error('died before');
    const result = await (handler as (event: unknown, context: unknown) => Promise<unknown>)(event, context);
    if (await crash(name, 'after', call)) throw new Error('died after');
    return result;
  };
  return dying as unknown as LambdaHandler;
};

let scene: ClipScene;

beforeAll(async () => {
  const isStep = (name: string) => [...steps, 'finalize', 'settleExecution'].includes(name);
  scene = await startClipScene(wrapFunctions((name, handler) => (isStep(name) ? mortal(name, handler) : handler)));
});
afterAll(() => scene.close());
beforeEach(() => {
  calls = new Map();
  return scene.begin();
});

test.each(['before', 'after'] as const)(
  'when every step dies once %s its work, all clips are cut, and no job is given twice',
  async (when) => {
    crash = (name, at, call) => (steps as readonly string[]).includes(name) && at === when && call === 1;
    const taskId = await scene.cut();
    const { task, progress } = await scene.followed(taskId);
    await scene.expectEnd(taskId, task);
    expect(task.results).toHaveLength(3);
    expect(scene.jobsOf(taskId)).toEqual(allJobs);
    expect(scene.begun).toEqual(jobCounts);
    expect(progress).toEqual(progress.toSorted((one, other) => one - other));
  },
);

test.each(steps.filter((name) => name !== 'reportClips'))(
  'when %s always dies, the credits are returned once and nothing is kept',
  async (dying) => {
    crash = (name, when) => name === dying && when === 'before';
    const taskId = await scene.cut();
    const { task } = await scene.followed(taskId);
    await scene.expectEnd(taskId, task, 'INTERNAL_ERROR');
  },
);

test('when the workflow of the clips fails after its report, the clips are still stored', async () => {
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

test('when the report always dies, the task is ended by the end of its workflow', async () => {
  crash = (name, when) => name === 'reportClips' && when === 'before';
  const taskId = await scene.cut({ videoUrl: scene.goneUrl });
  const { task } = await scene.followed(taskId);
  expect(task).toMatchObject({ status: 'failed', creditsRefunded: 17 });
  expect(await scene.executionOf(taskId)).toBe('FAILED');
  await scene.host.audit();
});
