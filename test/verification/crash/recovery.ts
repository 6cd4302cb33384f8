/** What must have come of every task in the end, whatever was killed when. */
import { isDeepStrictEqual as same } from 'node:util';
import { expect } from 'vitest';
import { tableName } from '../../../infra/local/service-environment.ts';
import { isTerminal } from '../../../shared/domain/tasks/task.ts';
import { eventually } from '../../support/eventually.ts';
import { checkHistory, checkMoment } from '../model/invariants.ts';
import { ofAccount, type SeenTask, type Snapshot, snapshotReader } from '../model/snapshot.ts';
import { download, generate, taskOf, type Wish } from './back-end.ts';
import type { CrashWorld } from './crash-world.ts';

/**
 * Reads everything past all taps, and holds it against what is true at every moment, also while nobody runs. Resolves
 * with what belongs to the account under test.
 */
export async function look(world: CrashWorld, read = snapshotReader(world.databaseUrl)): Promise<Snapshot> {
  // Before the rows: a claim comes before its post, so that none of these posts lacks its claim there.
  const posts = new Map(world.receiver.posts);
  const snapshot = await read(tableName);
  checkMoment(snapshot, posts);
  if (world.seen) checkHistory(world.seen, snapshot);
  world.seen = snapshot;
  return ofAccount(snapshot, world.accountId);
}

/** Nobody has to look at it any more. */
export const isSettled = (task: SeenTask): boolean =>
  isTerminal(task) && task.webhookStatus !== 'pending' && task.nextCheckAt === undefined;

/** Resolves once all tasks have ended and all webhooks are settled. */
export function settled(world: CrashWorld, tasks: number): Promise<Snapshot> {
  const read = snapshotReader(world.databaseUrl);
  const lookOnce = async () => {
    const snapshot = await look(world, read);
    const all = [...snapshot.tasks.values()];
    return all.length === tasks && all.every(isSettled) ? snapshot : undefined;
  };
  return eventually('the end of every task and webhook', lookOnce, { patienceMs: 120_000, everyMs: 50 });
}

/** The messages of all attempts come again, as those do that nobody deleted, and change nothing. */
async function repeatMessages(world: CrashWorld, { deliveries }: Snapshot): Promise<void> {
  const posts = world.receiver.deliveries.length;
  for (const [taskId, attempts] of deliveries) {
    for (const { attempt } of attempts) {
      const message = { messageId: 'repeated', body: JSON.stringify({ taskId, attempt }) };
      expect(await world.invoke('deliverWebhook', { Records: [message] })).toEqual({ batchItemFailures: [] });
    }
  }
  expect(world.receiver.deliveries).toHaveLength(posts);
}

/** What a back end sees of its task: the key stands for it, its result is served, its webhook has come. */
async function checkTask(world: CrashWorld, wish: Wish, seen: SeenTask): Promise<void> {
  expect(await generate(world, wish)).toEqual({ taskId: seen.taskId, isReplay: true });
  const task = await taskOf(world, seen.taskId);
  expect(task.status).toBe(seen.status);
  expect(task.creditsRefunded).toBe(seen.status === 'failed' ? seen.cost : 0);
  if (task.status === 'completed') {
    expect(await download(task.resultUrl ?? '')).toBe(task.results?.[0]?.bytes);
  }
  if (!wish.callbackUrl) return;
  expect(seen.webhookStatus).toBe('delivered');
  const [told] = world.receiver.of(seen.taskId);
  expect(JSON.parse(told?.body ?? '{}')).toMatchObject({ event: `task.${seen.status}`, taskId: seen.taskId });
}

/** Everything that a crash may not change, once everything is over. */
export async function checkRecovery(world: CrashWorld, wishes: readonly Wish[], end: Snapshot): Promise<void> {
  const byKey = Map.groupBy(end.tasks.values(), (task) => task.clientReference ?? '');
  expect([...byKey.keys()].toSorted()).toEqual(wishes.map(({ key }) => key).toSorted());
  for (const wish of wishes) {
    const [task, ...others] = byKey.get(wish.key) ?? [];
    expect(others).toEqual([]);
    if (task) await checkTask(world, wish, task);
  }
  await repeatMessages(world, end);
  expect(await world.invoke('auditLedger', {})).toEqual({ audited: world.seen?.accounts.size, drifts: [] });
  const after = await look(world);
  expect(same(after.ledger.toSorted(byId), end.ledger.toSorted(byId))).toBe(true);
  expect([...after.accounts.values()].map(({ openTasks }) => openTasks)).toEqual([[]]);
}

const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);
