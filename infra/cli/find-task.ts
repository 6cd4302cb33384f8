/** Finds the task that a command is for. */
import { commandFailed } from './exit-error.ts';
import type { Service } from './service.ts';

/** Finds a task and its webhook's attempts. @throws {ExitError} if the task does not exist */
export async function findTask({ tasks }: Service, taskId: string) {
  const found = await tasks.findWithDeliveries(taskId);
  if (!found) throw commandFailed(`There is no task ${taskId}.`);
  return found;
}
