/** A task as its account sees it. */
import { taskErrors } from '../../contracts/errors.ts';
import type * as contracts from '../../contracts/tasks.ts';
import { timestamp } from '../../platform/clock.ts';
import type { DeliveryAttempt } from '../webhooks/delivery-store.ts';
import { refundOf, type StoredResult, type Task } from './task.ts';

const presentResult = (resultsUrl: string, { key, posterKey, clip: _clip, ...result }: StoredResult) => ({
  url: `${resultsUrl}/${key}`,
  ...result,
  ...(posterKey !== undefined && { posterUrl: `${resultsUrl}/${posterKey}` }),
});

/** Every field is there, and null where it is not known. */
const presentClip = (resultsUrl: string, { key, clip = {} }: StoredResult): contracts.Clip => ({
  url: `${resultsUrl}/${key}`,
  title: clip.title ?? null,
  hook: clip.hook ?? null,
  score: clip.score ?? null,
  startTime: clip.startTime ?? null,
  endTime: clip.endTime ?? null,
});

/** Where a task's first result is served. */
export const resultUrlOf = (task: Task, resultsUrl: string): string | undefined =>
  task.results?.[0] && `${resultsUrl}/${task.results[0].key}`;

export function presentTaskSummary(task: Task, resultsUrl: string): contracts.TaskSummary {
  const resultUrl = resultUrlOf(task, resultsUrl);
  return {
    id: task.taskId,
    taskType: task.taskType,
    status: task.status,
    ...(task.results && { resultUrl, results: task.results.map((result) => presentResult(resultsUrl, result)) }),
    ...(task.results &&
      task.taskType === 'cortes' && { clips: task.results.map((result) => presentClip(resultsUrl, result)) }),
    ...(task.clientReference !== undefined && { clientReference: task.clientReference }),
    ...(task.influencerId && task.status === 'completed' && { influencerId: task.influencerId }),
    creditsUsed: task.cost,
    creditsRefunded: refundOf(task),
    progress: task.progress,
    ...(task.errorCode && { error: { code: task.errorCode, message: task.errorDetail ?? taskErrors[task.errorCode] } }),
    createdAt: timestamp(task.createdAt),
    ...(task.startedAt !== undefined && { startedAt: timestamp(task.startedAt) }),
    ...(task.endedAt !== undefined && { completedAt: timestamp(task.endedAt) }),
  };
}

/** Attempts in progress have no result to report yet. */
export const presentAttempts = (attempts: readonly DeliveryAttempt[]) =>
  attempts.flatMap(({ at, result }) =>
    result
      ? [{ at: timestamp(at), statusCode: result.statusCode, error: result.error, durationMs: result.durationMs }]
      : [],
  );

export function presentTask(task: Task, attempts: readonly DeliveryAttempt[], resultsUrl: string): contracts.Task {
  const { callbackUrl, webhookStatus = 'pending' } = task;
  // The attempt is recorded a moment before the task is: a response must not contradict itself in between.
  const delivered = attempts.some(({ result }) => result?.delivered);
  return {
    ...presentTaskSummary(task, resultsUrl),
    input: { ...task.input, ...(callbackUrl && { callbackUrl }) },
    ...(callbackUrl && {
      webhook: {
        url: callbackUrl,
        status: delivered ? 'delivered' : webhookStatus,
        attempts: presentAttempts(attempts),
      },
    }),
  };
}
