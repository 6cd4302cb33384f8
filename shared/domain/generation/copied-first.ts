/** Which files are copied before their engine gets a URL: those that it would download from their own server. */
import { allRoutesOf } from '../../catalog/engines.ts';
import type { FileCondition } from '../../engines/route.ts';
import type { Task } from '../tasks/task.ts';
import { isFileCondition } from './choose-route.ts';

/** What the task's route requires of a field's files. */
export function conditionOn({ taskType, route }: Pick<Task, 'taskType' | 'route'>, field: string) {
  const condition = allRoutesOf(taskType).find(({ id }) => id === route)?.takes?.[field];
  return isFileCondition(condition) ? condition : undefined;
}

const isCopied = (condition: FileCondition | undefined): boolean => condition?.mustBeMeasured === true;

/** Whether a field's file is copied first. Only the engine can open a link to a video site. */
export const isCopiedFirst = (task: Task, field: string): boolean =>
  isCopied(conditionOn(task, field)) && task.derived?.link === undefined;

/** Whether a task may have a file that is copied first. */
export const mayHaveCopy = (task: Task): boolean => Object.keys(task.input).some((field) => isCopiedFirst(task, field));
