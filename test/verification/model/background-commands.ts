/** Commands for background work: the sweeper, the webhook worker and the clock. */
import type { TaskStatus } from '../../../shared/contracts/task-statuses.ts';
import { isTerminal } from '../../../shared/domain/tasks/task.ts';
import { delayBeforeAttempt, isLastAttempt } from '../../../shared/domain/webhooks/webhook.ts';
import { ensure } from '../oracle/ensure.ts';
import type { SeenTask } from '../oracle/snapshot.ts';
import type { World } from '../world/world.ts';
import { type Act, commandOf, invoked, nthOf } from './command.ts';
import { type Permit, sweptTo } from './model.ts';

/** The expected effect of a sweep on each task that is due now. */
export function sweepMusts({ model, world }: Act, everything: boolean): Map<string, TaskStatus> {
  const due = ({ nextCheckAt }: SeenTask) =>
    nextCheckAt !== undefined && (everything || nextCheckAt <= world.clock.now());
  const open = [...model.seen.tasks.values()].filter((task) => !isTerminal(task) && due(task));
  return new Map(open.map((task) => [task.taskId, sweptTo(world, task)]));
}

function ensureReminders({ model, world }: Act, everything: boolean): void {
  for (const { taskId, nextCheckAt, status, callbackUrl } of model.seen.tasks.values()) {
    if (!isTerminal({ status }) || nextCheckAt === undefined || callbackUrl === undefined) continue;
    if (!everything && nextCheckAt > world.clock.now()) continue;
    const reminded = world.queue.messages.some(({ body }) => body.includes(taskId));
    ensure(reminded, 'the sweeper reminds of a webhook that is owed', taskId);
  }
}

export const sweep = commandOf('sweep', async (act, args: { everything: boolean }): Promise<Permit> => {
  const { world } = act;
  const musts = sweepMusts(act, args.everything);
  await invoked(act, 'sweepTasks', args);
  if (world.faults.disturbed) return { musts };
  ensureReminders(act, args.everything);
  for (const [taskId, status] of musts) {
    ensure(status === 'failed' || !!world.workflow.of(taskId), 'the sweeper starts what was not started', taskId);
  }
  return { musts };
});

export interface DeliverArgs {
  readonly message: number;
  readonly response: number | 'hang up';
  /** The queue delivers a message at least once. */
  readonly again: boolean;
}

interface DeliveryMessage {
  readonly taskId: string;
  readonly attempt: number;
}

/** The expected state of a webhook before its message is delivered. */
function owedBy({ model, world }: Act, { taskId, attempt }: DeliveryMessage) {
  const task = model.seen.tasks.get(taskId);
  const claim = model.seen.deliveries.get(taskId)?.find((one) => one.attempt === attempt);
  const isOwed = task?.callbackUrl !== undefined && isTerminal(task) && attempt >= (task.webhookFrom ?? 1);
  const isBusy = claim !== undefined && !claim.result && claim.leaseUntil > world.clock.now();
  return { posts: isOwed && !claim ? 1 : 0, busyUntil: isOwed && isBusy ? claim.leaseUntil : undefined };
}

const isQueued = ({ queue }: World, delivery: DeliveryMessage, notBefore: number): boolean =>
  queue.messages.some(({ body, dueAt }) => body === JSON.stringify(delivery) && dueAt >= notBefore);

async function ensureConsequence(
  { world }: Act,
  { taskId, attempt }: DeliveryMessage,
  response: DeliverArgs['response'],
) {
  const webhookStatus = (await world.snapshot()).tasks.get(taskId)?.webhookStatus;
  const accepted = response !== 'hang up' && response < 300;
  if (accepted) ensure(webhookStatus === 'delivered', 'an accepted webhook is delivered', { taskId, webhookStatus });
  else if (isLastAttempt(attempt)) ensure(webhookStatus === 'failed', 'the third failure is the last', { taskId });
  else {
    const dueAt = world.clock.now() + delayBeforeAttempt(attempt + 1) * 1000;
    const isFollowed = isQueued(world, { taskId, attempt: attempt + 1 }, dueAt);
    ensure(isFollowed, 'a failed attempt is followed by the next', { taskId, attempt });
  }
}

/** Delivers a message to the webhook worker when it is due. */
export const deliver = commandOf('deliver', async (act, args: DeliverArgs): Promise<Permit> => {
  const { world } = act;
  const message = nthOf(world.queue.messages, args.message);
  if (!message) return {};
  world.clock.advance(Math.max(0, message.dueAt - world.clock.now()));
  world.setReceiverResponse(args.response);
  const delivery = JSON.parse(message.body) as DeliveryMessage;
  const postsBefore = world.posts.get(delivery.taskId)?.length ?? 0;
  const expected = owedBy(act, delivery);
  if (!args.again) world.queue.remove(message);
  const event = { Records: [{ messageId: 'm', body: message.body }] };
  const result = await invoked<{ batchItemFailures: unknown[] }>(act, 'deliverWebhook', event);
  const failed = (result?.batchItemFailures.length ?? 1) > 0;
  if (failed && !args.again) world.queue.put(message.body, 1);
  const posts = (world.posts.get(delivery.taskId)?.length ?? 0) - postsBefore;
  ensure(posts <= expected.posts, 'a message makes no more posts than are owed', {
    delivery,
    posts,
    expected,
  });
  if (world.faults.disturbed) return {};
  ensure(!failed && posts === expected.posts, 'a message makes the attempts that are due', {
    delivery,
    posts,
  });
  const { busyUntil } = expected;
  const isKept = busyUntil === undefined || isQueued(world, delivery, busyUntil);
  ensure(isKept, 'an attempt that may be in progress is checked again later', { delivery, busyUntil });
  if (posts === 1) await ensureConsequence(act, delivery, args.response);
  return {};
});

export const wait = commandOf(
  'wait',
  async ({ world }, args: { seconds: number }): Promise<Permit> => {
    world.clock.advance(Math.round(args.seconds * 1000));
    return {};
  },
  { needsTask: false },
);
