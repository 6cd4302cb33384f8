/** The webhook of an ended task: its content, and the schedule of its attempts. */
import { failureMessage } from '../../contracts/errors.ts';
import { attemptsPerSeries, deliveryDelaysSeconds } from '../../contracts/limits.ts';
import type { TaskCompleted, TaskFailed } from '../../contracts/webhooks.ts';
import { timestamp } from '../../platform/clock.ts';
import type { Task } from '../tasks/task.ts';

/** The delay before an attempt, in seconds. The first of every series is immediate, also of an operator's redelivery. */
export const delayBeforeAttempt = (attempt: number): number =>
  deliveryDelaysSeconds[(attempt - 1) % attemptsPerSeries] ?? 0;

export const isLastAttempt = (attempt: number): boolean => attempt % attemptsPerSeries === 0;

/** The first attempt of the series after the attempts so far. */
export const nextSeries = (attemptsSoFar: number): number =>
  Math.ceil(attemptsSoFar / attemptsPerSeries) * attemptsPerSeries + 1;

/** Covers all of one attempt: connecting, sending and receiving the response. */
export const attemptTimeoutMs = 10_000;

/** How much of a response is read; the rest is dropped. */
export const responseBytes = 65_536;

/** When a worker that makes an attempt is presumed dead; longer than its function's time limit. */
export const leaseMs = 30_000;

function payloadOf(task: Task, resultUrl: string | undefined): TaskCompleted | TaskFailed {
  const at = timestamp(task.endedAt ?? 0);
  if (task.status === 'completed' && resultUrl) {
    return {
      event: 'task.completed',
      taskId: task.taskId,
      status: 'completed',
      resultUrl,
      creditsUsed: task.cost,
      timestamp: at,
    };
  }
  const code = task.errorCode ?? 'INTERNAL_ERROR';
  return {
    event: 'task.failed',
    taskId: task.taskId,
    status: 'failed',
    error: { code, message: failureMessage(code, task.errorDetail) },
    timestamp: at,
  };
}

/** Header values are bytes: a reference is sent in UTF-8, as its client sent it. */
export const referenceHeader = (reference: string): string => Buffer.from(reference, 'utf8').toString('latin1');

/** Identifies the event to its receiver: the same in every attempt of every series. */
export const webhookId = (taskId: string): string => `msg_${taskId}`;

/** The text that is signed. `timestamp` is in whole Unix seconds. */
export const signedContent = (id: string, timestamp: string, body: string): string => `${id}.${timestamp}.${body}`;

/** The body, to the byte the same in every attempt, unless the results are served from another address meanwhile. */
export const webhookBody = (task: Task, resultUrl: string | undefined): string =>
  JSON.stringify(payloadOf(task, resultUrl));
