/**
 * The tokens with which the outcome of a waiting task is reported: the first report counts, later ones are rejected.
 */
import { systemClock } from '../../../shared/platform/clock.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import type { Json } from '../json.ts';
import { StateMachineError } from './state-machine-error.ts';

interface WaitingTask {
  succeed(output: Json): void;
  fail(error: Error): void;
}

export interface TaskTokens {
  readonly openCount: number;
  issue(): string;
  open(token: string, task: WaitingTask): void;
  close(token: string): void;
  /** Closes the token and returns its task. @throws TaskTimedOut, TaskDoesNotExist or InvalidToken */
  take(token: string): WaitingTask;
}

export function taskTokens(): TaskTokens {
  const ids = randomIds(systemClock);
  const issuer = ids.secret(8);
  const waiting = new Map<string, WaitingTask>();
  return {
    get openCount() {
      return waiting.size;
    },
    issue: () => `${issuer}.${ids.secret(32)}`,
    open: (token, task) => void waiting.set(token, task),
    close: (token) => void waiting.delete(token),
    take(token) {
      const task = waiting.get(token);
      if (!task) throw rejectionOf(token, issuer);
      waiting.delete(token);
      return task;
    },
  };
}

/** Closed tokens are not stored: their format shows that this service, or an earlier run of it, issued them. */
function rejectionOf(token: string, issuer: string): StateMachineError {
  if (!/^[0-9a-f]{16}\.[0-9a-f]{64}$/.test(token)) return new StateMachineError('InvalidToken', 'Invalid token');
  return token.startsWith(`${issuer}.`)
    ? new StateMachineError('TaskTimedOut', 'Task Timed Out: the task of this token has ended')
    : new StateMachineError('TaskDoesNotExist', 'Task does not exist');
}
