/** Kills the service at one step, starts it again, and looks at what was left and what came of it. */
import { expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { type Accepted, cancel, generate, type Wish } from './back-end.ts';
import type { CrashStep } from './crash-step.ts';
import { type CrashWorld, crashWorld } from './crash-world.ts';
import { keepsReference } from './passage.ts';
import { checkRecovery, look, settled } from './recovery.ts';
import { tracesIn } from './traces.ts';

/** Retries come soon, and no time-out of a state, even on a busy machine. */
const pace = 0.5;

const isAsked = ({ engine }: CrashStep): boolean => engine === 'is asked' || engine === 'forgets';

function worldFor(step: CrashStep): Promise<CrashWorld> {
  const manner = step.engine ?? 'calls back';
  return crashWorld({
    maker: manner === 'own' ? 'own' : () => manner,
    isPatient: true,
    engineCompletion: isAsked(step) ? 'polling' : 'callback',
    pace,
  });
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
  const [taskId = ''] = world.engine.jobs.keys();
  expect(await cancel(world, taskId)).toBeUndefined();
}

/** The first life, up to its kill; what the back end was answered, if it was. */
async function firstLife(world: CrashWorld, step: CrashStep, wish: Wish): Promise<Accepted | undefined> {
  await world.start({ aheadMs: 0, sweeps: 'everything' });
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
  let aheadMs = 0;
  for (const [index, { awayMs, sweeps }] of step.kills.entries()) {
    const next = step.kills[index + 1];
    aheadMs += awayMs;
    if (!next) expect(await tracesIn(world, left)).toMatchObject(step.leaves);
    await world.start({ aheadMs, sweeps, killAt: next?.killAt });
    if (!next) break;
    await world.killed();
    left = await look(world, left);
  }
  return left;
}

async function crash(world: CrashWorld, step: CrashStep): Promise<void> {
  const wish: Wish = { key: 'order-1', text: 'Uma frase curta.', callbackUrl: world.callbackUrl };
  refusePosts(world, step.refusedPosts ?? 0);
  const answered = await firstLife(world, step, wish);
  const left = await laterLives(world, step);

  if (step.isRepeatedAtOnce) await generate(world, wish);
  if (step.isCanceled) {
    const [task] = left.tasks.values();
    expect(await cancel(world, task?.taskId ?? '')).toBe(task?.status === 'failed' ? 409 : 200);
  }
  const end = await settled(world, left, 1);
  expect(await tracesIn(world, end)).toMatchObject({ tasks: 1, slots: 0, ...step.ends });
  if (answered) expect([...end.tasks.keys()]).toEqual([answered.taskId]);
  await checkRecovery(world, [wish], end);
}

export async function runStep(step: CrashStep): Promise<void> {
  const world = await worldFor(step);
  try {
    await crash(world, step);
  } finally {
    await world.close();
  }
}
