/** One plan of random crashes: several tasks under way, a kill or two, and everything right in the end. */
import { expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import type { Snapshot } from '../oracle/snapshot.ts';
import { type Accepted, cancel, type GenerationRequest, generate } from './back-end.ts';
import type { CrashPlan, PlannedKill, PlannedTask } from './crash-plan.ts';
import { type CrashWorld, crashWorld } from './crash-world.ts';
import type { Customer } from './customer.ts';
import type { EngineBehavior } from './external-engine.ts';
import type { KillAt, RecordedCall } from './kill-switch.ts';
import { checkAudit, checkRecovery, isSettled, look, settled } from './recovery.ts';

/** Totals of all plans. */
export interface CrashTally {
  plans: number;
  kills: number;
  tasks: number;
  webhooks: number;
  attempts: number;
  posts: number;
  /** How often the service was killed at what. */
  readonly at: Map<string, number>;
}

/** After a lost callback the engine is polled after six seconds. */
const pace = 0.1;

/** The calls of one task without a kill, function invocations included. */
const callsPerTask = 50;

interface PlannedRequest extends GenerationRequest {
  readonly cancels: boolean;
  accepted?: Accepted;
  isCanceled?: boolean;
}

const requestOf =
  ({ engine }: CrashPlan, callbackUrl: string) =>
  ({ hasWebhook, behavior }: PlannedTask, index: number): PlannedRequest => ({
    key: `order-${index}`,
    text: behavior,
    ...(hasWebhook && { callbackUrl }),
    cancels: behavior === 'never ends' && engine === 'outside',
  });

function countKill(tally: CrashTally, { party, operation, moment }: RecordedCall): void {
  const name = `${moment} ${party} ${operation.replaceAll(/\/[^/]*[0-9a-f-]{32,}.*/g, '/…')}`;
  tally.kills += 1;
  tally.at.set(name, (tally.at.get(name) ?? 0) + 1);
}

/** Repeats requests without a response, and cancels what is no longer wanted. */
async function requestUntilAccepted({ url }: CrashWorld, { token }: Customer, request: PlannedRequest): Promise<void> {
  const front = { url, token };
  const accepted = request.accepted ?? (await generate(front, request));
  if (!accepted) return;
  request.accepted = accepted;
  if (!request.cancels || request.isCanceled) return;
  const status = await cancel(front, accepted.taskId);
  if (status !== undefined) expect([200, 409]).toContain(status);
  request.isCanceled = status !== undefined;
}

const killAt = ({ when }: PlannedKill, tasks: number): KillAt => {
  const fatal = Math.floor(when * tasks * callsPerTask);
  return (_passage, index) => index >= fatal;
};

/** Resolves once the process was killed: at the latest by an audit when all work is done. */
async function runUntilKilled(world: CrashWorld, customer: Customer, tasks: number): Promise<RecordedCall> {
  const isAtRest = await eventually(
    'a kill, or the end of all work',
    async () => {
      if (world.killedAt) return false;
      const found = [...(await look(world)).tasks.values()];
      return found.length === tasks && found.every(isSettled) ? true : undefined;
    },
    { patienceMs: 120_000, everyMs: 100 },
  );
  if (isAtRest) {
    world.killAt(new Map([[customer, () => true]]));
    await expect(world.invoke('auditLedger', {})).rejects.toThrow('ended before it responded');
  }
  return world.killed();
}

/** All processes that are killed by the plan, and a last one that is not. */
async function runAndKill(
  world: CrashWorld,
  plan: CrashPlan,
  requests: PlannedRequest[],
  tally: CrashTally,
): Promise<Customer> {
  await world.start({ awayMs: 0, sweeps: 'everything' });
  const customer = await world.newCustomer({ isOnly: true });
  const killBy = (kill: PlannedKill) => new Map([[customer, killAt(kill, requests.length)]]);
  for (const [index, kill] of plan.kills.entries()) {
    if (index === 0) world.killAt(killBy(kill));
    await Promise.all(requests.map((request) => requestUntilAccepted(world, customer, request)));
    countKill(tally, await runUntilKilled(world, customer, requests.length));
    await look(world);
    const { awayMs } = kill;
    const next = plan.kills[index + 1];
    await world.start({ awayMs, sweeps: 'everything', ...(next && { killAt: killBy(next) }) });
  }
  for (const request of requests) await requestUntilAccepted(world, customer, request);
  return customer;
}

function count(tally: CrashTally, world: CrashWorld, { deliveries, tasks }: Snapshot): void {
  tally.plans += 1;
  tally.tasks += tasks.size;
  tally.webhooks += deliveries.size;
  tally.attempts += [...deliveries.values()].flat().length;
  tally.posts += world.receiver.deliveries.length;
}

async function crash(world: CrashWorld, plan: CrashPlan, tally: CrashTally): Promise<void> {
  world.receiver.respond((response, post) => {
    response.writeHead(post <= plan.rejectedPosts ? 500 : 204).end();
  });
  const requests = plan.tasks.map(requestOf(plan, world.callbackUrl));
  const customer = await runAndKill(world, plan, requests, tally);
  const end = await settled(world, [customer], requests.length);
  for (const { key, accepted } of requests) {
    expect(end.tasks.get(accepted?.taskId ?? '')?.clientReference).toBe(key);
  }
  await checkRecovery(world, customer, requests, end);
  await checkAudit(world);
  count(tally, world, end);
}

/** Throws when an invariant is broken, at any moment or in the end. */
export async function crashByPlan(plan: CrashPlan, tally: CrashTally): Promise<void> {
  const { engine, engineCompletion } = plan;
  const maker = engine === 'own' ? 'own' : (text: string) => text as EngineBehavior;
  const world = await crashWorld({ maker, isPatient: false, engineCompletion, pace });
  try {
    await crash(world, plan, tally);
  } finally {
    await world.close();
  }
}
