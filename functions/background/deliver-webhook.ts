import { DeliverWebhookMessage } from '../../shared/contracts/workflow.ts';
import { resultUrlOf } from '../../shared/domain/tasks/present-task.ts';
import { isTerminal, type Task } from '../../shared/domain/tasks/task.ts';
import type { DeliveryAttempt, DeliveryResult } from '../../shared/domain/webhooks/delivery-store.ts';
import {
  answerBytes,
  attemptTimeoutMs,
  delayBeforeAttempt,
  isLastAttempt,
  signedContent,
  webhookBody,
  webhookId,
} from '../../shared/domain/webhooks/webhook.ts';
import { type Outbound, outbound } from '../../shared/platform/outbound.ts';
import { webhookQueue } from '../../shared/platform/queue.ts';
import { OutboundFailed, OutboundRefused } from '../../shared/platform/safe-fetch.ts';
import { webhookSecretsOf } from '../../shared/platform/webhook-secrets.ts';
import type { With } from '../../shared/runtime/context.ts';
import { type Consumer, queueLambda } from '../../shared/runtime/queue-lambda.ts';

type Needs = With<'outbound' | 'queue' | 'webhookSecrets'>;
type OwedTask = Task & { readonly callbackUrl: string };

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** A short word for the log of attempts; where the request went is not its business. */
const reasonOf = (error: unknown): string => {
  if (error instanceof OutboundRefused) return 'address refused';
  if (error instanceof OutboundFailed) return error.reason;
  throw error;
};

interface Notice {
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function post({ fetch }: Outbound, task: OwedTask, { headers, body }: Notice) {
  try {
    const { status } = await fetch(task.callbackUrl, {
      method: 'POST',
      headers,
      body,
      timeoutMs: attemptTimeoutMs,
      maxResponseBytes: answerBytes,
      onOverflow: 'truncate',
      maxRedirects: 0,
    });
    return { delivered: isSuccess(status), statusCode: status, error: isSuccess(status) ? null : `status ${status}` };
  } catch (error) {
    return { delivered: false, statusCode: null, error: reasonOf(error) };
  }
}

/** What an attempt at a time says: each has the same id and body, and a timestamp and signature of its own. */
async function noticeOf({ settings, webhookSecrets }: Needs, task: OwedTask, at: number): Promise<Notice> {
  const body = webhookBody(task, resultUrlOf(task, settings.resultsUrl));
  const id = webhookId(task.taskId);
  const timestamp = String(Math.floor(at / 1000));
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': `${settings.serviceName}-Webhook/1.0`,
    'X-Webhook-Token': await webhookSecrets.webhookTokenOf(task.tokenId),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': await webhookSecrets.sign(signedContent(id, timestamp, body)),
  };
  return { headers, body };
}

/** What follows from a recorded attempt: nothing more, or the next one, counted from this one's end. */
async function proceed(
  { clock, metrics, queue, tasks }: Needs,
  task: OwedTask,
  { attempt, at, result }: Required<DeliveryAttempt>,
) {
  if (result.delivered) return tasks.settleWebhook(task, 'delivered');
  if (isLastAttempt(attempt)) {
    metrics.record({ WebhooksExhausted: 1 });
    return tasks.settleWebhook(task, 'failed');
  }
  const dueAt = at + result.durationMs + delayBeforeAttempt(attempt + 1) * 1000;
  const delaySeconds = Math.max(0, Math.ceil((dueAt - clock.now()) / 1000));
  await queue.send({ taskId: task.taskId, attempt: attempt + 1 }, { delaySeconds, group: task.accountId });
}

/** The result of an attempt whose worker died before it could tell: it counts, and is not repeated. */
const interrupted: DeliveryResult = { delivered: false, statusCode: null, error: 'interrupted', durationMs: 0 };

/** Somebody is at it, or died at it: which of the two, its lease will have told. */
async function lookAfterLease({ clock, queue }: Needs, task: OwedTask, { attempt, leaseUntil }: DeliveryAttempt) {
  const delaySeconds = Math.max(1, Math.ceil((leaseUntil - clock.now()) / 1000));
  await queue.send({ taskId: task.taskId, attempt }, { delaySeconds, group: task.accountId });
}

/** Makes one attempt at telling a task's creator how it ended; a repeated message repeats no attempt. */
export const deliverWebhook: Consumer<typeof DeliverWebhookMessage, 'outbound' | 'queue' | 'webhookSecrets'> = async (
  { taskId, attempt },
  context,
) => {
  const { clock, deliveries, ids, tasks } = context;
  const task = await tasks.find(taskId);
  if (!task || !isTerminal(task) || task.callbackUrl === undefined) return;
  // A message of an earlier series has nothing more to say, and one of a series that is over neither.
  if (attempt < (task.webhookFrom ?? 1) || task.webhookStatus !== 'pending') return;
  const owed = { ...task, callbackUrl: task.callbackUrl };
  const at = clock.now();
  // Before the claim: signing that fails must not use up an attempt.
  const notice = await noticeOf(context, owed, at);
  const earlier = await deliveries.claim(taskId, attempt, { worker: ids.next(), now: at });
  if (earlier?.result) return proceed(context, owed, { ...earlier, result: earlier.result });
  if (earlier && earlier.leaseUntil > at) return lookAfterLease(context, owed, earlier);

  // Counted from the claim: the next attempt must not come early because this one was slow to begin.
  const made = earlier
    ? interrupted
    : { ...(await post(context.outbound, owed, notice)), durationMs: clock.now() - at };
  const result = await deliveries.record(taskId, attempt, made);
  context.metrics.record({ WebhookAttempts: 1 }, { outcome: result.delivered ? 'delivered' : 'failed' });
  await proceed(context, owed, { attempt, at: earlier?.at ?? at, leaseUntil: 0, result });
};

export const definition = queueLambda('deliverWebhook', DeliverWebhookMessage, deliverWebhook, {
  outbound,
  queue: webhookQueue,
  webhookSecrets: webhookSecretsOf,
});
