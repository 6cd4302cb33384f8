/** Remembers for each task that the client has created when the service suggested the first poll. */
import type { Clock } from './clock.ts';
import type { ApiResponse } from './envelope.ts';
import { retryAfterSeconds } from './errors.ts';

export interface PollHints {
  /** Stores the suggestion in a response that created a task. */
  readonly keep: (response: ApiResponse<number, unknown>) => void;
  /** The milliseconds until the first poll of a task; 0 if the service suggested nothing. */
  readonly msOf: (taskId: string) => number;
}

/** Limits the number of stored suggestions, because programs that wait for webhooks never use them. */
const mostHints = 1000;

export function pollHints(clock: Clock): PollHints {
  const pollAt = new Map<unknown, number>();
  return {
    keep: ({ status, headers, data }) => {
      const seconds = retryAfterSeconds(headers);
      if (status !== 202 || seconds === undefined) return;
      pollAt.set((data as { readonly taskId?: string }).taskId, clock.now() + seconds * 1000);
      if (pollAt.size > mostHints) pollAt.delete(pollAt.keys().next().value);
    },
    msOf: (taskId) => Math.max(0, (pollAt.get(taskId) ?? 0) - clock.now()),
  };
}
