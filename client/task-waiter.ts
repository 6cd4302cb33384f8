/** Waits until tasks have ended, polling as often as the service suggests. */
import type { Calls } from './call.ts';
import type { Clock } from './clock.ts';
import { retryAfterSeconds, TaskFailedError } from './errors.ts';
import { type CompletedTask, idsPerCall, type Task, type TaskSummary } from './operations.ts';
import { pauseMsAfter, pollUntil } from './poll-until.ts';

export interface WaitOptions<Progress> {
  /** Ends the wait, which then throws the signal's reason; the task goes on. */
  readonly signal?: AbortSignal;
  /** Is called after each poll. */
  readonly onProgress?: (progress: Progress) => void;
  /** How long to wait; unless given, until the task ends, which the service guarantees for every task. */
  readonly timeoutSeconds?: number;
}

/** How many of the tasks have ended. */
export interface WaitProgress {
  readonly ended: number;
  readonly total: number;
}

export interface TaskWaiter {
  /** Resolves with the completed task. @throws {TaskFailedError} if it has failed, {TimeoutError} if it takes too long */
  readonly waitForTask: (taskId: string, options?: WaitOptions<Task>) => Promise<Task & CompletedTask>;
  /**
   * Resolves with all tasks in the order of their ids, once all have ended, the failed ones too: look at `status`.
   * @throws {TimeoutError} if it takes too long
   */
  readonly waitForTasks: (taskIds: readonly string[], options?: WaitOptions<WaitProgress>) => Promise<TaskSummary[]>;
}

/** The minimum pause between the calls of a round, so that polling uses about half of the rate limit. */
const msPerCall = 2000;

const hasEnded = (task: { readonly status: string } | undefined): boolean =>
  task?.status === 'completed' || task?.status === 'failed';

const chunksOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / idsPerCall) }, (_, index) =>
    ids.slice(index * idsPerCall, (index + 1) * idsPerCall),
  );

export function taskWaiter(
  { getTask, listTasks }: Pick<Calls, 'getTask' | 'listTasks'>,
  clock: Clock,
  /** How many milliseconds to wait before the first poll of a task, as suggested by the response that created it. */
  hintMs: (taskId: string) => number,
): TaskWaiter {
  /** The first pause when several tasks are awaited: that of the task that is to be polled first. */
  const firstMs = (taskIds: readonly string[]) =>
    taskIds.length > 0 ? Math.min(...taskIds.map(hintMs)) * (1 + clock.random() / 10) : 0;
  return {
    waitForTask: (taskId, options = {}) =>
      pollUntil(clock, firstMs([taskId]), options, async (round, pollOptions) => {
        const { data: task, headers } = await getTask({ params: { taskId }, ...pollOptions });
        options.onProgress?.(task);
        if (task.status === 'failed') throw new TaskFailedError(task);
        return hasEnded(task)
          ? (task as Task & CompletedTask)
          : pauseMsAfter(clock, round, [retryAfterSeconds(headers)]);
      }),

    waitForTasks: (taskIds, options = {}) => {
      const ids = [...new Set(taskIds)];
      const found = new Map<string, TaskSummary>();
      return pollUntil(clock, firstMs(ids), options, async (round, pollOptions) => {
        const chunks = chunksOf(ids.filter((id) => !hasEnded(found.get(id))));
        const hints: (number | undefined)[] = [];
        for (const chunk of chunks) {
          const { data, headers } = await listTasks({ query: { ids: chunk.join(',') }, ...pollOptions });
          hints.push(retryAfterSeconds(headers));
          for (const task of data.tasks) found.set(task.id, task);
          // A list leaves out tasks that do not exist, so a missing one is requested alone, to which the service
          // responds with an error.
          for (const taskId of chunk.filter((id) => !found.has(id)))
            found.set(taskId, (await getTask({ params: { taskId }, ...pollOptions })).data);
        }
        const ended = ids.filter((id) => hasEnded(found.get(id))).length;
        options.onProgress?.({ ended, total: ids.length });
        if (ended < ids.length) return Math.max(pauseMsAfter(clock, round, hints), (chunks.length - 1) * msPerCall);
        return taskIds.flatMap((id) => found.get(id) ?? []);
      });
    },
  };
}
