/** Invariants of every task at the end, whenever the service was killed. */
import { isDeepStrictEqual as same } from 'node:util';
import { expect } from 'vitest';
import { tableName } from '../../../infra/local/service-environment.ts';
import { isTerminal } from '../../../shared/domain/tasks/task.ts';
import { isTestAccount } from '../../../shared/domain/test-account.ts';
import { eventually } from '../../support/eventually.ts';
import { checkHistory, checkMoment } from '../oracle/invariants.ts';
import { ofAccount, type SeenTask, type Snapshot, snapshotReader } from '../oracle/snapshot.ts';
import { download, type GenerationRequest, generate, taskOf } from './back-end.ts';
import type { CrashWorld } from './crash-world.ts';
import type { Customer } from './customer.ts';

/** Reads the table directly, checks the invariants and the history, and resolves with all rows. */
export async function look(world: CrashWorld, read = snapshotReader(world.databaseUrl)): Promise<Snapshot> {
  // Posts are read before the rows: a claim precedes its post, so each of these posts must have its claim in the rows.
  const posts = new Map(world.receiver.posts);
  const snapshot = await read(tableName);
  checkMoment(snapshot, posts);
  if (world.seen) checkHistory(world.seen, snapshot);
  world.seen = snapshot;
  return snapshot;
}

/** Requires that nothing is left to do for the task. */
const isSettled = (task: SeenTask): boolean =>
  isTerminal(task) && task.webhookStatus !== 'pending' && task.nextCheckAt === undefined;

/** Resolves once the given number of the customers' tasks have ended and all webhooks are settled. */
export function settled(world: CrashWorld, customers: readonly Customer[], tasks: number): Promise<Snapshot> {
  const read = snapshotReader(world.databaseUrl);
  const allSettled = async () => {
    const snapshot = await look(world, read);
    const all = customers.flatMap(({ accountId }) => [...ofAccount(snapshot, accountId).tasks.values()]);
    return all.length === tasks && all.every(isSettled) ? snapshot : undefined;
  };
  return eventually('the end of every task and webhook', allSettled, { patienceMs: 120_000, everyMs: 300 });
}

/** Delivers the messages of all attempts again, like messages that were not deleted: nothing may change. */
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

/** A back end's view of its task: its key replays it, its result is served, its webhook was delivered. */
async function checkTask(
  { receiver, url }: CrashWorld,
  { token }: Customer,
  request: GenerationRequest,
  seen: SeenTask,
): Promise<void> {
  const front = { url, token };
  expect(await generate(front, request)).toEqual({ taskId: seen.taskId, isReplay: true });
  const task = await taskOf(front, seen.taskId);
  expect(task.status).toBe(seen.status);
  expect(task.creditsRefunded).toBe(seen.status === 'failed' ? seen.cost : 0);
  if (task.status === 'completed') {
    expect(await download(task.resultUrl ?? '')).toBe(task.results?.[0]?.bytes);
  }
  if (!request.callbackUrl) return;
  expect(seen.webhookStatus).toBe('delivered');
  const [delivery] = receiver.of(seen.taskId);
  expect(JSON.parse(delivery?.body ?? '{}')).toMatchObject({ event: `task.${seen.status}`, taskId: seen.taskId });
}

/** The service's own audit finds nothing wrong with any account. */
export async function checkAudit(world: CrashWorld): Promise<void> {
  const live = [...(world.seen?.accounts.keys() ?? [])].filter((accountId) => !isTestAccount(accountId));
  expect(await world.invoke('auditLedger', {})).toEqual({ audited: live.length, drifts: [] });
}

/** All invariants of a customer that no crash may violate, once all tasks are settled. */
export async function checkRecovery(
  world: CrashWorld,
  customer: Customer,
  requests: readonly GenerationRequest[],
  end: Snapshot,
): Promise<void> {
  const byKey = Map.groupBy(end.tasks.values(), (task) => task.clientReference ?? '');
  expect([...byKey.keys()].toSorted()).toEqual(requests.map(({ key }) => key).toSorted());
  for (const request of requests) {
    const [task, ...others] = byKey.get(request.key) ?? [];
    expect(others).toEqual([]);
    if (task) await checkTask(world, customer, request, task);
  }
  await repeatMessages(world, end);
  const after = ofAccount(await look(world), customer.accountId);
  expect(same(after.ledger.toSorted(byId), end.ledger.toSorted(byId))).toBe(true);
  expect([...after.accounts.values()].map(({ openTasks }) => openTasks)).toEqual([[]]);
}

const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);
