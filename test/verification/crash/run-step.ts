/** Kills the service at one step, restarts it, and checks what the kill left behind and how the task ended. */
import { expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import type { Snapshot } from '../oracle/snapshot.ts';
import { type Accepted, cancel, type GenerationRequest, generate } from './back-end.ts';
import type { CrashStep } from './crash-step.ts';
import { type CrashWorld, type CrashWorldOptions, crashWorld } from './crash-world.ts';
import type { EngineBehavior } from './external-engine.ts';
import { checkRecovery, look, settled } from './recovery.ts';
import { storesReference } from './service-call.ts';
import { tracesIn } from './traces.ts';

/** Retries come soon, but states do not time out on a busy machine. */
const pace = 0.5;

type WorldOptions = Pick<CrashWorldOptions, 'maker' | 'engineCompletion'>;

function optionsFor({ engine }: CrashStep): WorldOptions {
  const isAsked = engine === 'is polled' || engine === 'forgets';
  return {
    maker: engine === 'own' ? 'own' : (text) => text as EngineBehavior,
    engineCompletion: isAsked ? 'polling' : 'callback',
  };
}

function refusePosts({ receiver }: CrashWorld, times: number): void {
  receiver.answer((response, attempt) => {
    response.writeHead(attempt <= times ? 500 : 204).end();
  });
}

/** Cancels the task as soon as an engine has it. */
async function cancelOnceAccepted(world: CrashWorld): Promise<void> {
  await eventually('the acceptance', () =>
    world.calls.find((calls) => calls.moment === 'after' && storesReference(calls)),
  );
  const taskId = [...world.engine.jobs.keys()].at(-1) ?? '';
  expect(await cancel(world, taskId)).toBeUndefined();
}

/** The first process, up to its kill; resolves with the response to the request, if there was one. */
async function firstRun(world: CrashWorld, step: CrashStep, request: GenerationRequest): Promise<Accepted | undefined> {
  if (!world.isRunning) await world.start({ awayMs: 0, sweeps: 'everything' });
  await world.openAccount();
  const [first] = step.kills;
  if (first) world.killAt(first.killAt);
  const asked = generate(world, request);
  if (step.isCanceled) await cancelOnceAccepted(world);
  await world.killed();
  return asked;
}

/** All later processes: each starts some time after a kill, and all but the last are killed too. */
async function laterRuns(world: CrashWorld, step: CrashStep): Promise<Snapshot> {
  let left = await look(world);
  for (const [index, { awayMs, sweeps }] of step.kills.entries()) {
    const next = step.kills[index + 1];
    if (!next) expect(await tracesIn(world, left)).toMatchObject(step.leaves);
    await world.start({ awayMs, sweeps, killAt: next?.killAt });
    if (!next) break;
    await world.killed();
    left = await look(world);
  }
  return left;
}

async function crash(world: CrashWorld, step: CrashStep): Promise<void> {
  const request: GenerationRequest = {
    key: 'order-1',
    text: step.engine ?? 'calls back',
    callbackUrl: world.callbackUrl,
  };
  refusePosts(world, step.refusedPosts ?? 0);
  const answered = await firstRun(world, step, request);
  const left = await laterRuns(world, step);

  if (step.isRepeatedAtOnce) await generate(world, request);
  if (step.isCanceled) {
    const [task] = left.tasks.values();
    expect(await cancel(world, task?.taskId ?? '')).toBe(task?.status === 'failed' ? 409 : 200);
  }
  const end = await settled(world, 1);
  expect(await tracesIn(world, end)).toMatchObject({ tasks: 1, slots: 0, ...step.ends });
  if (answered) expect([...end.tasks.keys()]).toEqual([answered.taskId]);
  await checkRecovery(world, [request], end);
}

export interface StepRunner {
  run(step: CrashStep): Promise<void>;
  close(): Promise<void>;
}

/** A step starts with the process in which the previous one ended; after a failed step everything is started anew. */
export function stepRunner(): StepRunner {
  const worlds = new Map<string, CrashWorld>();
  return {
    async run(step) {
      const options = optionsFor(step);
      const name = `${options.engineCompletion} ${step.engine === 'own'}`;
      const world = worlds.get(name) ?? (await crashWorld({ ...options, isPatient: true, pace }));
      worlds.delete(name);
      try {
        await crash(world, step);
      } catch (error) {
        await world.close();
        throw error;
      }
      worlds.set(name, world);
    },
    async close() {
      await Promise.all([...worlds.values()].map((world) => world.close()));
    },
  };
}
