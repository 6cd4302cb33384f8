/** Presents a task to its account. */

import type * as contracts from '../../contracts/task.ts';
import type { Clip } from '../../contracts/task-results.ts';
import { timestamp } from '../../platform/clock.ts';
import type { Settings } from '../../platform/settings.ts';
import { isTestAccount } from '../test-account.ts';
import type { DeliveryAttempt } from './delivery-attempt.ts';
import { resultsUntil } from './retention.ts';
import { failureOf, refundOf, type StoredResult, type Task } from './task.ts';
import { labelOf } from './task-label.ts';

/** The base URL of results, and how many days they are stored. */
type ResultSettings = Pick<Settings, 'resultsUrl' | 'resultsRetentionDays'>;

/**
 * When results expire. The storage counts from when it received a file, which is later, so no file disappears before
 * this time.
 */
const expiryOf = (task: Task, { resultsRetentionDays }: ResultSettings): string =>
  timestamp(resultsUntil(task, Number(resultsRetentionDays)));

const presentResult = (
  { key, posterKey, clip: _clip, provenance, ...result }: StoredResult,
  { resultsUrl }: ResultSettings,
  expiresAt: string,
) => ({
  url: `${resultsUrl}/${key}`,
  ...result,
  ...(posterKey !== undefined && { posterUrl: `${resultsUrl}/${posterKey}` }),
  provenance: provenance ?? null,
  expiresAt,
});

/** Presents a clip; every field is present, and null if unknown. */
const presentClip = (resultsUrl: string, { key, clip = {} }: StoredResult): Clip => ({
  url: `${resultsUrl}/${key}`,
  title: clip.title ?? null,
  hook: clip.hook ?? null,
  score: clip.score ?? null,
  startTime: clip.startTime ?? null,
  endTime: clip.endTime ?? null,
});

/** The URL of a task's first result. */
export const resultUrlOf = (task: Task, resultsUrl: string): string | undefined =>
  task.results?.[0] && `${resultsUrl}/${task.results[0].key}`;

export function presentTaskSummary(task: Task, settings: ResultSettings): contracts.TaskSummary {
  const { resultsUrl } = settings;
  const expiresAt = expiryOf(task, settings);
  const resultUrl = resultUrlOf(task, resultsUrl);
  return {
    id: task.taskId,
    taskType: task.taskType,
    label: labelOf(task),
    status: task.status,
    ...(task.results && {
      resultUrl,
      results: task.results.map((result) => presentResult(result, settings, expiresAt)),
    }),
    ...(task.results &&
      task.taskType === 'cortes' && { clips: task.results.map((result) => presentClip(resultsUrl, result)) }),
    ...(task.clientReference !== undefined && { clientReference: task.clientReference }),
    ...(task.influencerId && task.status === 'completed' && { influencerId: task.influencerId }),
    ...(isTestAccount(task.accountId) && { test: true }),
    creditsUsed: task.cost,
    creditsRefunded: refundOf(task),
    progress: task.progress,
    ...(task.errorCode && { error: failureOf(task) }),
    createdAt: timestamp(task.createdAt),
    ...(task.inputsErasedAt !== undefined && { inputErasedAt: timestamp(task.inputsErasedAt) }),
    ...(task.startedAt !== undefined && { startedAt: timestamp(task.startedAt) }),
    ...(task.endedAt !== undefined && { completedAt: timestamp(task.endedAt) }),
  };
}

/** Presents delivery attempts; those in progress have no result yet. */
export const presentAttempts = (attempts: readonly DeliveryAttempt[]) =>
  attempts.flatMap(({ at, result }) =>
    result
      ? [{ at: timestamp(at), statusCode: result.statusCode, error: result.error, durationMs: result.durationMs }]
      : [],
  );

export function presentTask(
  task: Task,
  attempts: readonly DeliveryAttempt[],
  settings: ResultSettings,
): contracts.Task {
  const { callbackUrl, webhookStatus = 'pending' } = task;
  // An attempt is recorded shortly before the task's status, so the status is derived from both to avoid a
  // contradiction.
  const delivered = attempts.some(({ result }) => result?.delivered);
  return {
    ...presentTaskSummary(task, settings),
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
