/** One plan of random crashes: several tasks under way, a kill or two, and everything right in the end. */
import { expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { type Accepted, cancel, generate, type Wish } from './back-end.ts';
import type { CrashPlan, PlannedKill, PlannedTask } from './crash-plan.ts';
import { type CrashWorld, crashWorld } from './crash-world.ts';
import type { Manner } from './engine-at-work.ts';
import type { KillAt, Passed } from './guillotine.ts';
import { checkRecovery, isSettled, look, settled } from './recovery.ts';

/** What was done and what came of it, of all plans together. */
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

/** A callback that is lost is made up for after six seconds. */
const pace = 0.1;

/** Seen in undisturbed lives: what one task says and hears, its calls of functions included. */
const passagesPerTask = 50;

interface Customer extends Wish {
  readonly cancels: boolean;
  accepted?: Accepted;
  isCanceled?: boolean;
}

const customerOf =
  ({ engine }: CrashPlan, callbackUrl: string) =>
  ({ hasWebhook, manner }: PlannedTask, index: number): Customer => ({
    key: `order-${index}`,
    text: manner,
    ...(hasWebhook && { callbackUrl }),
    cancels: manner === 'never ends' && engine === 'outside',
  });

function noteKill(tally: CrashTally, { place, operation, moment }: Passed): void {
  const name = `${moment} ${place} ${operation.replaceAll(/\/[^/]*[0-9a-f-]{32,}.*/g, '/…')}`;
  tally.kills += 1;
  tally.at.set(name, (tally.at.get(name) ?? 0) + 1);
}

/** Asks for what it has no answer to yet, and cancels what it wants no more. */
async function insist(world: CrashWorld, customer: Customer): Promise<void> {
  const accepted = customer.accepted ?? (await generate(world, customer));
  if (!accepted) return;
  customer.accepted = accepted;
  if (!customer.cancels || customer.isCanceled) return;
  const status = await cancel(world, accepted.taskId);
  if (status !== undefined) expect([200, 409]).toContain(status);
  customer.isCanceled = status !== undefined;
}

const killAt = ({ when }: PlannedKill, tasks: number): KillAt => {
  const fatal = Math.floor(when * tasks * passagesPerTask);
  return (_passage, index) => index >= fatal;
};

/** Resolves once the life was killed, at the latest when its work is done: then it dies of being audited. */
async function livedThrough(world: CrashWorld, tasks: number): Promise<Passed> {
  const isAtRest = await eventually(
    'a kill, or the end of all work',
    async () => {
      if (world.struck) return false;
      const found = [...(await look(world)).tasks.values()];
      return found.length === tasks && found.every(isSettled) ? true : undefined;
    },
    { patienceMs: 120_000, everyMs: 100 },
  );
  if (isAtRest) {
    world.killAt(() => true);
    await expect(world.invoke('auditLedger', {})).rejects.toThrow('ended before it answered');
  }
  return world.killed();
}

/** All lives of the plan and one more, in which nothing goes wrong. */
async function liveAndDie(world: CrashWorld, plan: CrashPlan, customers: Customer[], tally: CrashTally) {
  await world.start({ awayMs: 0, sweeps: 'everything' });
  await world.openAccount();
  for (const [index, kill] of plan.kills.entries()) {
    if (index === 0) world.killAt(killAt(kill, customers.length));
    await Promise.all(customers.map((customer) => insist(world, customer)));
    noteKill(tally, await livedThrough(world, customers.length));
    await look(world);
    const { awayMs } = kill;
    const next = plan.kills[index + 1];
    await world.start({ awayMs, sweeps: 'everything', killAt: next && killAt(next, customers.length) });
  }
  for (const customer of customers) await insist(world, customer);
}

function count(tally: CrashTally, world: CrashWorld, { deliveries, tasks }: Snapshot): void {
  tally.plans += 1;
  tally.tasks += tasks.size;
  tally.webhooks += deliveries.size;
  tally.attempts += [...deliveries.values()].flat().length;
  tally.posts += world.receiver.deliveries.length;
}

async function crash(world: CrashWorld, plan: CrashPlan, tally: CrashTally): Promise<void> {
  world.receiver.answer((response, post) => {
    response.writeHead(post <= plan.refusedPosts ? 500 : 204).end();
  });
  const customers = plan.tasks.map(customerOf(plan, world.callbackUrl));
  await liveAndDie(world, plan, customers, tally);
  const end = await settled(world, customers.length);
  for (const { key, accepted } of customers) {
    expect(end.tasks.get(accepted?.taskId ?? '')?.clientReference).toBe(key);
  }
  await checkRecovery(world, customers, end);
  count(tally, world, end);
}

/** Throws for whatever is not right in the end, or at any moment that was looked at. */
export async function crashByPlan(plan: CrashPlan, tally: CrashTally): Promise<void> {
  const { engine, engineCompletion } = plan;
  const maker = engine === 'own' ? 'own' : (text: string) => text as Manner;
  const world = await crashWorld({ maker, isPatient: false, engineCompletion, pace });
  try {
    await crash(world, plan, tally);
  } finally {
    await world.close();
  }
}
