/** The webhook of a task that ended: what it says, and when it is tried. */
import { taskErrors } from '../../contracts/errors.ts';
import type { TaskCompleted, TaskFailed } from '../../contracts/webhooks.ts';
import { timestamp } from '../../platform/clock.ts';
import type { Task } from '../tasks/task.ts';

/** Seconds from the end of one attempt to the start of the next; the first is immediate. */
const delaysSeconds = [0, 2, 4] as const;

export const attemptsPerSeries = delaysSeconds.length;

/** An attempt's delay; the first of every series of three, also an operator's redelivery, is immediate. */
export const delayBeforeAttempt = (attempt: number): number => delaysSeconds[(attempt - 1) % attemptsPerSeries] ?? 0;

export const isLastAttempt = (attempt: number): boolean => attempt % attemptsPerSeries === 0;

/** The first attempt of the series after the attempts so far. */
export const nextSeries = (attemptsSoFar: number): number =>
  Math.ceil(attemptsSoFar / attemptsPerSeries) * attemptsPerSeries + 1;

/** Connecting, sending, answering: all of one attempt. */
export const attemptTimeoutMs = 10_000;

/** How much of an answer is read before it is dropped. */
export const answerBytes = 65_536;

/** How long a worker may be at an attempt before another one takes it for dead; above its function's time-out. */
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
    error: { code, message: task.errorDetail ?? taskErrors[code] },
    timestamp: at,
  };
}

/** Names the event of a task to its receiver: the same at every attempt, in every series. */
export const webhookId = (taskId: string): string => `msg_${taskId}`;

/** What an attempt's signature is over. `timestamp` is in whole unix seconds. */
export const signedContent = (id: string, timestamp: string, body: string): string => `${id}.${timestamp}.${body}`;

/** The exact text that every attempt sends: nothing of an ended task changes, unless its results move elsewhere. */
export const webhookBody = (task: Task, resultUrl: string | undefined): string =>
  JSON.stringify(payloadOf(task, resultUrl));
