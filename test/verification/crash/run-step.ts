/** Kills the service at one step, starts it again, and looks at what was left and what came of it. */
import { expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { type Accepted, cancel, generate, type Wish } from './back-end.ts';
import type { CrashStep } from './crash-step.ts';
import { type CrashWorld, type CrashWorldOptions, crashWorld } from './crash-world.ts';
import type { Manner } from './engine-at-work.ts';
import { keepsReference } from './passage.ts';
import { checkRecovery, look, settled } from './recovery.ts';
import { tracesIn } from './traces.ts';

/** Retries come soon, and no time-out of a state, even on a busy machine. */
const pace = 0.5;

type WorldOptions = Pick<CrashWorldOptions, 'maker' | 'engineCompletion'>;

function optionsFor({ engine }: CrashStep): WorldOptions {
  const isAsked = engine === 'is asked' || engine === 'forgets';
  return {
    maker: engine === 'own' ? 'own' : (text) => text as Manner,
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
    world.passed.find((passed) => passed.moment === 'after' && keepsReference(passed)),
  );
  const taskId = [...world.engine.jobs.keys()].at(-1) ?? '';
  expect(await cancel(world, taskId)).toBeUndefined();
}

/** The first life, up to its kill; what the back end was answered, if it was. */
async function firstLife(world: CrashWorld, step: CrashStep, wish: Wish): Promise<Accepted | undefined> {
  if (!world.isRunning) await world.start({ awayMs: 0, sweeps: 'everything' });
  await world.openAccount();
  const [first] = step.kills;
  if (first) world.killAt(first.killAt);
  const asked = generate(world, wish);
  if (step.isCanceled) await cancelOnceAccepted(world);
  await world.killed();
  return asked;
}

/** All further lives: each begins some time after a kill, and all but the last end by one. */
async function laterLives(world: CrashWorld, step: CrashStep): Promise<Snapshot> {
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
  const wish: Wish = { key: 'order-1', text: step.engine ?? 'calls back', callbackUrl: world.callbackUrl };
  refusePosts(world, step.refusedPosts ?? 0);
  const answered = await firstLife(world, step, wish);
  const left = await laterLives(world, step);

  if (step.isRepeatedAtOnce) await generate(world, wish);
  if (step.isCanceled) {
    const [task] = left.tasks.values();
    expect(await cancel(world, task?.taskId ?? '')).toBe(task?.status === 'failed' ? 409 : 200);
  }
  const end = await settled(world, 1);
  expect(await tracesIn(world, end)).toMatchObject({ tasks: 1, slots: 0, ...step.ends });
  if (answered) expect([...end.tasks.keys()]).toEqual([answered.taskId]);
  await checkRecovery(world, [wish], end);
}

export interface StepRunner {
  run(step: CrashStep): Promise<void>;
  close(): Promise<void>;
}

/** A step begins with the process that the one before has ended with; one that fails leaves nothing to the next. */
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
