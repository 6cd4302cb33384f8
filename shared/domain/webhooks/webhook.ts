/** The webhook of an ended task: its content and the schedule of its attempts. */
import { attemptsPerSeries, deliveryDelaysSeconds } from '../../contracts/limits.ts';
import type { TaskCompleted, TaskFailed } from '../../contracts/webhooks.ts';
import { timestamp } from '../../platform/clock.ts';
import { failureOf, type Task } from '../tasks/task.ts';
import { isTestAccount } from '../test-account.ts';

/** The delay before an attempt, in seconds; the first attempt of each series is immediate, including redeliveries. */
export const delayBeforeAttempt = (attempt: number): number =>
  deliveryDelaysSeconds[(attempt - 1) % attemptsPerSeries] ?? 0;

export const isLastAttempt = (attempt: number): boolean => attempt % attemptsPerSeries === 0;

/** The first attempt of the series after the given attempts. */
export const nextSeries = (attemptsSoFar: number): number =>
  Math.ceil(attemptsSoFar / attemptsPerSeries) * attemptsPerSeries + 1;

/** The time limit of one attempt: connecting, sending and receiving the response. */
export const attemptTimeoutMs = 10_000;

/** How many bytes of a response are read; the rest is dropped. */
export const responseBytes = 65_536;

/** When the worker of an attempt is presumed dead; longer than its function's time limit. */
export const leaseMs = 30_000;

function payloadOf(task: Task, resultUrl: string | undefined): TaskCompleted | TaskFailed {
  const at = timestamp(task.endedAt ?? 0);
  const mode = isTestAccount(task.accountId) ? ({ test: true } as const) : {};
  if (task.status === 'completed' && resultUrl) {
    return {
      event: 'task.completed',
      taskId: task.taskId,
      status: 'completed',
      resultUrl,
      creditsUsed: task.cost,
      timestamp: at,
      ...mode,
    };
  }
  return {
    event: 'task.failed',
    taskId: task.taskId,
    status: 'failed',
    error: failureOf(task),
    timestamp: at,
    ...mode,
  };
}

/** Encodes the value of a header in UTF-8, as the client sent it; header values are bytes. */
export const headerBytes = (value: string): string => Buffer.from(value, 'utf8').toString('latin1');

/** The id of the webhook for its receiver: the same in every attempt of every series. */
export const webhookId = (taskId: string): string => `msg_${taskId}`;

/** The headers that are the same in every attempt and contain no secret. */
export const constantHeaders = ({ clientReference, taskId }: Task, serviceName: string) => ({
  'Content-Type': 'application/json',
  'User-Agent': `${serviceName}-Webhook/1.0`,
  // Requests of a batch can have control characters, which no header can.
  ...(clientReference !== undefined && { 'X-Client-Reference': clientReference.replaceAll(/\p{Cc}/gu, ' ') }),
  'webhook-id': webhookId(taskId),
});

/** The content that is signed. `timestamp` is in whole seconds since the epoch. */
export const signedContent = (id: string, timestamp: string, body: string): string => `${id}.${timestamp}.${body}`;

/** The body: byte for byte the same in every attempt, unless the results' base URL changes. */
export const webhookBody = (task: Task, resultUrl: string | undefined): string =>
  JSON.stringify(payloadOf(task, resultUrl));
