/**
 * Attempts at the tasks of one execution: each calls its integration and ends by a result, a token, a timeout or an
 * abort.
 */
import type { Json } from '../json.ts';
import type { TaskState } from './state-machine-definition.ts';
import { ExecutionOver } from './task-failure.ts';
import type { TaskIntegration } from './task-integrations.ts';
import type { TaskTokens } from './task-tokens.ts';

export const tokenSuffix = '.waitForTaskToken';

export interface TaskAttempts {
  /** The token of the next attempt, which the interpreter reads while it builds the parameters. */
  nextToken(): string;
  run(task: TaskState, parameters: Json): Promise<Json>;
  /** Ends all attempts, rejects new ones and clears all timers. */
  abandon(): void;
}

export function taskAttempts(tokens: TaskTokens, integrations: ReadonlyMap<string, TaskIntegration>): TaskAttempts {
  const open = new Set<(reason: Error) => void>();
  let issued: string | undefined;
  let over = false;

  const attempt = (task: TaskState, integration: TaskIntegration, parameters: Json): Promise<Json> => {
    const waits = task.resource.endsWith(tokenSuffix);
    const token = waits ? (issued ?? tokens.issue()) : '';
    issued = undefined;
    const { promise, resolve, reject } = Promise.withResolvers<Json>();
    const close = (): void => {
      clearTimeout(timer);
      open.delete(reject);
      tokens.close(token);
    };
    // Closes the token right before the interpreter's own timer raises States.Timeout, so that no report is accepted
    // that the interpreter would no longer see.
    const timer = setTimeout(close, task.timeoutMs);
    open.add(reject);
    if (waits) tokens.open(token, { succeed: resolve, fail: reject });
    integration(parameters).then(waits ? ignore : resolve, reject);
    return promise.finally(close);
  };

  return {
    nextToken: () => (issued ??= tokens.issue()),
    async run(task, parameters) {
      const integration = integrations.get(task.resource.replace(tokenSuffix, ''));
      if (over || !integration) throw new ExecutionOver();
      return attempt(task, integration, parameters);
    },
    abandon() {
      over = true;
      for (const reject of open) reject(new ExecutionOver());
    },
  };
}

/** Ignores a function's return value, because the state waits for a token. */
const ignore = (): void => undefined;
