import { DeliverWebhookMessage } from '../../shared/contracts/workflow.ts';
import { metricsFor } from '../../shared/domain/metrics.ts';
import { deliveries, tasks } from '../../shared/domain/store-ports.ts';
import type { DeliveryAttempt, DeliveryResult } from '../../shared/domain/tasks/delivery-attempt.ts';
import { resultUrlOf } from '../../shared/domain/tasks/present-task.ts';
import { refusesWebhook } from '../../shared/domain/tasks/refuses-webhook.ts';
import { isTerminal, type Task } from '../../shared/domain/tasks/task.ts';
import { evenDeleted } from '../../shared/domain/tasks/task-store.ts';
import { isTestAccount } from '../../shared/domain/test-account.ts';
import { type Delivery, deferralSeconds, deliverySlots } from '../../shared/domain/webhooks/delivery-slots.ts';
import {
  attemptTimeoutMs,
  constantHeaders,
  delayBeforeAttempt,
  headerBytes,
  isLastAttempt,
  responseBytes,
  signedContent,
  webhookBody,
  webhookId,
} from '../../shared/domain/webhooks/webhook.ts';
import { type Outbound, outbound } from '../../shared/platform/outbound.ts';
import { webhookQueue } from '../../shared/platform/queue.ts';
import { OutboundFailed, OutboundRejected } from '../../shared/platform/safe-fetch.ts';
import { webhookSecretsOf } from '../../shared/platform/webhook-secrets.ts';
import type { With } from '../../shared/runtime/context.ts';
import { type Consumer, queueLambda } from '../../shared/runtime/queue-lambda.ts';

type Needs = With<'outbound' | 'queue' | 'webhookSecrets' | 'deliveries' | 'tasks'>;
type Message = DeliverWebhookMessage;
type OwedTask = Task & { readonly callbackUrl: string; readonly tokenId: string };

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Describes an error without naming an address, because accounts can see it. */
const reasonOf = (error: unknown): string => {
  if (error instanceof OutboundRejected) return 'address rejected';
  if (error instanceof OutboundFailed) return error.reason;
  throw error;
};

interface WebhookContent {
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function post(
  { fetch }: Outbound,
  task: OwedTask,
  { headers, body }: WebhookContent,
  claim: () => Promise<void>,
) {
  if (refusesWebhook(task)) return { delivered: false, statusCode: null, error: 'refused by the test case' };
  try {
    const { status } = await fetch(task.callbackUrl, {
      method: 'POST',
      headers,
      body,
      timeoutMs: attemptTimeoutMs,
      maxResponseBytes: responseBytes,
      onOverflow: 'truncate',
      maxRedirects: 0,
      beforeSend: claim,
    });
    return { delivered: isSuccess(status), statusCode: status, error: isSuccess(status) ? null : `status ${status}` };
  } catch (error) {
    return { delivered: false, statusCode: null, error: reasonOf(error) };
  }
}

/** The webhook's content: the same id and body in all attempts, but a new timestamp and signature. */
async function contentOf({ settings, webhookSecrets }: Needs, task: OwedTask, at: number): Promise<WebhookContent> {
  const body = webhookBody(task, resultUrlOf(task, settings.resultsUrl));
  const id = webhookId(task.taskId);
  const timestamp = String(Math.floor(at / 1000));
  const headers = {
    ...constantHeaders(task, settings.serviceName),
    'X-Webhook-Token': await webhookSecrets.webhookTokenOf(task.tokenId),
    'webhook-timestamp': timestamp,
    'webhook-signature': await webhookSecrets.sign(signedContent(id, timestamp, body)),
  };
  return {
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, headerBytes(value)])),
    body,
  };
}

/** Ends the delivery, or enqueues the next attempt, whose delay starts at the end of this one. */
async function proceed(
  { clock, metrics, queue, tasks }: Needs,
  task: OwedTask,
  { attempt, at, result }: Required<DeliveryAttempt>,
) {
  if (result.delivered) return tasks.settleWebhook(task, 'delivered');
  if (isLastAttempt(attempt)) {
    metricsFor(metrics, task.accountId).record({ WebhooksExhausted: 1 });
    return tasks.settleWebhook(task, 'failed');
  }
  const dueAt = at + result.durationMs + delayBeforeAttempt(attempt + 1) * 1000;
  const delaySeconds = Math.max(0, Math.ceil((dueAt - clock.now()) / 1000));
  await queue.send({ taskId: task.taskId, attempt: attempt + 1 }, { delaySeconds, group: task.accountId });
}

/** The result of an attempt whose worker crashed after it may have sent the webhook: it counts and is not repeated. */
const interrupted: DeliveryResult = { delivered: false, statusCode: null, error: 'interrupted', durationMs: 0 };

/** Checks the delivery again after the lease: another worker is making the attempt, or has crashed. */
async function checkAfterLease({ clock, queue }: Needs, task: OwedTask, { attempt, leaseUntil }: DeliveryAttempt) {
  const delaySeconds = Math.max(1, Math.ceil((leaseUntil - clock.now()) / 1000));
  await queue.send({ taskId: task.taskId, attempt }, { delaySeconds, group: task.accountId });
}

/** Enqueues a new message, because a message that fails repeatedly would become a dead letter. */
async function defer({ metrics, queue }: Needs, task: OwedTask, message: Message, admission: 'full' | 'slow') {
  metricsFor(metrics, task.accountId).record({ WebhooksDeferred: 1 }, { reason: admission });
  const delaySeconds = deferralSeconds(admission, message.deferrals);
  if (delaySeconds === undefined) return;
  await queue.send({ ...message, deferrals: message.deferrals + 1 }, { delaySeconds, group: task.accountId });
}

/** The error that prevents an attempt from being sent twice. */
class ClaimedElsewhere extends Error {
  override readonly name = 'ClaimedElsewhere';
  readonly claimed: DeliveryAttempt;
  constructor(claimed: DeliveryAttempt) {
    super('another worker has claimed the attempt');
    this.claimed = claimed;
  }
}

/**
 * Makes an attempt, which is claimed once the receiver is connected, right before the first byte: if a worker crashes
 * earlier, nothing was sent and the attempt is repeated under the same number.
 */
async function makeAttempt(context: Needs, task: OwedTask, attempt: number, at: number, worker: string) {
  const { clock, deliveries, outbound } = context;
  let isClaimed = false;
  const claim = async () => {
    const earlier = await deliveries.claim(task.taskId, attempt, { worker, now: at });
    if (earlier) throw new ClaimedElsewhere(earlier);
    isClaimed = true;
  };
  try {
    const outcome = await post(outbound, task, await contentOf(context, task, at), claim);
    const durationMs = clock.now() - at;
    // A failed connection counts as an attempt, too.
    if (!isClaimed) await claim();
    return { attempt, at, leaseUntil: 0, made: { ...outcome, durationMs } };
  } catch (error) {
    if (error instanceof ClaimedElsewhere) return error.claimed;
    throw error;
  }
}

async function makeAdmitted(context: Needs, task: OwedTask, attempt: number, at: number, delivery: Delivery) {
  try {
    return await makeAttempt(context, task, attempt, at, delivery.worker);
  } finally {
    await deliverySlots(context.table).release(delivery, at, context.clock.now());
  }
}

async function conclude(context: Needs, task: OwedTask, { attempt, at }: DeliveryAttempt, made: DeliveryResult) {
  const isLastFailure = !made.delivered && isLastAttempt(attempt) && !isTestAccount(task.accountId);
  const failedAt = isLastFailure ? context.clock.now() : undefined;
  const result = await context.deliveries.record(task.taskId, attempt, made, failedAt);
  const outcome = result.delivered ? 'delivered' : 'failed';
  metricsFor(context.metrics, task.accountId).record({ WebhookAttempts: 1 }, { outcome });
  await proceed(context, task, { attempt, at, leaseUntil: 0, result });
}

/** Makes one attempt to deliver a webhook, within the account's limits. A repeated message repeats no attempt. */
export const deliverWebhook: Consumer<
  typeof DeliverWebhookMessage,
  'outbound' | 'queue' | 'webhookSecrets' | 'deliveries' | 'tasks'
> = async (message, context) => {
  const { clock, ids, tasks } = context;
  const { taskId, attempt } = message;
  const task = await tasks.find(taskId, evenDeleted);
  if (!task || !isTerminal(task) || task.callbackUrl === undefined || task.tokenId === undefined) return;
  // Ignores messages of an earlier series or of one that has ended.
  if (attempt < (task.webhookFrom ?? 1) || task.webhookStatus !== 'pending') return;
  const owed = { ...task, callbackUrl: task.callbackUrl, tokenId: task.tokenId };
  const at = clock.now();
  const delivery = { accountId: task.accountId, host: new URL(task.callbackUrl).host, worker: ids.next() };
  const admission = await deliverySlots(context.table).acquire(delivery, at);
  if (admission !== 'admitted') return defer(context, owed, message, admission);
  const found = await makeAdmitted(context, owed, attempt, at, delivery);
  if ('made' in found) return conclude(context, owed, found, found.made);
  if (found.result) return proceed(context, owed, { ...found, result: found.result });
  if (found.leaseUntil > at) return checkAfterLease(context, owed, found);
  return conclude(context, owed, found, interrupted);
};

export const definition = queueLambda('deliverWebhook', DeliverWebhookMessage, deliverWebhook, {
  deliveries,
  tasks,
  outbound,
  queue: webhookQueue,
  webhookSecrets: webhookSecretsOf,
});
