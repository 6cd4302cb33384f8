/**
 * Kills the service at steps, restarts it, and checks what the kill left behind and how each task ended. Steps that need
 * the same restarts share a process: each has a customer whose calls are held at its step, and when all are held, the
 * process is killed.
 */
import { expect } from 'vitest';
import { testCaseText } from '../../../shared/contracts/test-cases.ts';
import { eventually } from '../../support/eventually.ts';
import { ofAccount, type Snapshot } from '../oracle/snapshot.ts';
import type { EngineBehavior } from '../process/external-engine.ts';
import { type Accepted, cancel, type Front, type GenerationRequest, generate } from './back-end.ts';
import type { CrashStep } from './crash-step.ts';
import { type CrashWorld, type CrashWorldOptions, crashWorld } from './crash-world.ts';
import type { Customer } from './customer.ts';
import { checkAudit, checkRecovery, look, settled } from './recovery.ts';
import { storesReference } from './service-call.ts';
import { type Traces, tracesIn } from './traces.ts';

/** Retries are fast, but states do not time out on a busy machine. */
const pace = 0.5;

type WorldOptions = Pick<CrashWorldOptions, 'maker' | 'engineCompletion'>;

function optionsFor({ engine }: CrashStep): WorldOptions {
  const isPolled = engine === 'is polled' || engine === 'forgets';
  return {
    maker: engine === 'own' ? 'own' : (text) => text as EngineBehavior,
    engineCompletion: isPolled ? 'polling' : 'callback',
  };
}

const worldOf = (step: CrashStep): string => `${optionsFor(step).engineCompletion} ${step.engine === 'own'}`;

/**
 * Groups of steps that can share their kills, in an order in which no world is restarted between the tests of a group.
 */
export const groupsOf = (steps: readonly CrashStep[]): readonly (readonly CrashStep[])[] => [
  ...Map.groupBy(steps, (step) =>
    JSON.stringify([worldOf(step), ...step.kills.map(({ awayMs, sweeps }) => [awayMs, sweeps])]),
  ).values(),
];

/** A step that is being executed. */
interface Case {
  readonly step: CrashStep;
  readonly customer: Customer;
  readonly front: Front;
  readonly request: GenerationRequest;
  accepted?: Accepted | undefined;
  left?: Traces;
}

async function newCase(world: CrashWorld, step: CrashStep): Promise<Case> {
  const customer = await world.newCustomer(step.isTest ? 'test' : 'live');
  const request = {
    key: 'order-1',
    text: step.isTest && step.engine === 'fails' ? testCaseText('provider_error') : (step.engine ?? 'calls back'),
    callbackUrl: `${world.callbackUrl}?rejected=${step.rejectedPosts ?? 0}`,
  };
  return { step, customer, front: { url: world.url, token: customer.token }, request };
}

function rejectPosts({ receiver }: CrashWorld): void {
  receiver.respond((response, attempt, { path }) => {
    response.writeHead(attempt <= Number(path.split('rejected=').at(-1)) ? 500 : 204).end();
  });
}

/** Cancels the task as soon as its engine has accepted it. */
async function cancelOnceAccepted({ customer: { track }, front }: Case): Promise<void> {
  const stored = await eventually('the acceptance', () =>
    track.calls.find((call) => call.moment === 'after' && storesReference(call)),
  );
  const [, taskId = ''] = /TASK#([0-9a-f-]{36})/.exec(stored.body) ?? [];
  const status = await cancel(front, taskId);
  if (!track.heldAt) throw new Error(`the cancellation got ${status} before it was held`);
}

/** The first request, whose outcome is unknown if it is held. */
async function begin(one: Case): Promise<void> {
  const accepting = generate(one.front, one.request).catch((error: unknown) => {
    if (!one.customer.track.heldAt) throw error;
    return undefined;
  });
  if (one.step.isCanceled) await cancelOnceAccepted(one);
  one.accepted = await accepting;
}

const killsOf = (cases: readonly Case[], index: number) =>
  new Map(
    cases.flatMap(({ customer, step: { kills } }) =>
      kills.slice(index, index + 1).map(({ killAt }) => [customer, killAt] as const),
    ),
  );

/** Kills the process at the steps of all cases, as often as they specify, and restarts it. */
async function crash(world: CrashWorld, cases: readonly Case[]): Promise<void> {
  world.killAt(killsOf(cases, 0));
  const begun = cases.map(begin);
  await Promise.all([world.killed(), ...begun]);
  const kills = cases[0]?.step.kills ?? [];
  for (const [index, { awayMs, sweeps }] of kills.entries()) {
    const left = await look(world);
    const isLast = index === kills.length - 1;
    if (isLast) for (const one of cases) one.left = tracesIn(world, one.customer, left);
    await world.start({ awayMs, sweeps, ...(!isLast && { killAt: killsOf(cases, index + 1) }) });
    if (!isLast) await world.killed();
  }
}

/** The customers' actions after the last start. */
async function repeatAndCancel({ front, request, step }: Case, taskId: string | undefined, status: string | undefined) {
  if (step.isRepeatedAtOnce) await generate(front, request);
  if (step.isCanceled) expect(await cancel(front, taskId ?? '')).toBe(status === 'failed' ? 409 : 200);
}

interface Crashed {
  readonly world: CrashWorld;
  readonly cases: readonly Case[];
  readonly end: Snapshot;
}

async function crashTogether(world: CrashWorld, steps: readonly CrashStep[]): Promise<Crashed> {
  if (!world.isRunning) await world.start({ awayMs: 0, sweeps: 'everything' });
  rejectPosts(world);
  const cases = await Promise.all(steps.map((step) => newCase(world, step)));
  await crash(world, cases);
  for (const one of cases) await repeatAndCancel(one, one.left?.taskId, one.left?.status);
  const customers = cases.map(({ customer }) => customer);
  const end = await settled(world, customers, cases.length);
  await checkAudit(world);
  return { world, cases, end };
}

/** Checks that a customer's task has ended as the step specifies, and that nothing else has changed. */
async function checkCase({ world, end }: Crashed, { accepted, customer, left, request, step }: Case): Promise<void> {
  expect(left).toMatchObject(step.leaves);
  const own = ofAccount(end, customer.accountId);
  expect(tracesIn(world, customer, end)).toMatchObject({ tasks: 1, slots: 0, ...step.ends });
  if (accepted) expect([...own.tasks.keys()]).toEqual([accepted.taskId]);
  await checkRecovery(world, customer, [request], own);
}

export interface StepRunner {
  run(step: CrashStep): Promise<void>;
  close(): Promise<void>;
}

/** A group starts with the process in which the previous one ended; after a failed group everything is started anew. */
export function stepRunner(groups: readonly (readonly CrashStep[])[]): StepRunner {
  const worlds = new Map<string, CrashWorld>();
  const crashed = new Map<readonly CrashStep[], Promise<Crashed>>();

  async function crashOf(steps: readonly CrashStep[]): Promise<Crashed> {
    const [first] = steps;
    if (!first) throw new Error('the step is in no group');
    const name = worldOf(first);
    const world = worlds.get(name) ?? (await crashWorld({ ...optionsFor(first), pace }));
    worlds.set(name, world);
    return crashTogether(world, steps).catch(async (error: unknown) => {
      worlds.delete(name);
      await world.close();
      throw error;
    });
  }

  return {
    async run(step) {
      const group = groups.find((steps) => steps.includes(step)) ?? [];
      const crash = crashed.get(group) ?? crashOf(group);
      crashed.set(group, crash);
      const own = (await crash).cases.find((one) => one.step === step);
      if (own) await checkCase(await crash, own);
    },
    async close() {
      await Promise.all([...worlds.values()].map((world) => world.close()));
    },
  };
}
