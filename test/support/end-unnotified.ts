/**
 * Ends a task like a process that crashes right after the transaction that ends it: neither the webhook nor anything
 * else after it happens.
 */
import { type End, type EndTaskNeeds, endTask } from '../../shared/domain/task-lifecycle/end-task.ts';
import type { Task } from '../../shared/domain/tasks/task.ts';
import type { FullContext } from '../../shared/runtime/full-context.ts';

const neverReached = (): Promise<never> => Promise.reject(new Error('the process has died'));

/** Dependencies whose calls always fail, and the settings of a stage. */
export const unreachable = {
  engines: { named: () => undefined },
  queue: { send: neverReached },
  settings: { publishedRetentionDays: '730' },
  workflow: { start: neverReached, succeed: neverReached, fail: neverReached },
} as const satisfies Pick<EndTaskNeeds, 'engines' | 'queue' | 'settings' | 'workflow'>;

export const endUnnotified = (context: FullContext, task: Task, end: End): Promise<boolean> =>
  endTask({ ...context, ...unreachable }, task, end);
