/** Finds the task that a command is for. */
import { commandFailed } from './exit-error.ts';
import type { Service } from './service.ts';

/** The task and the attempts at its webhook so far. @throws {ExitError} when there is no such task. */
export async function findTask({ tasks }: Service, taskId: string) {
  const found = await tasks.findWithDeliveries(taskId);
  if (!found) throw commandFailed(`There is no task ${taskId}.`);
  return found;
}
