/** Presents a task to operators: with its account, its engine and what the engines charge. */
import type { Settings } from '../../platform/settings.ts';
import { presentTaskSummary } from '../tasks/present-task.ts';
import type { Task } from '../tasks/task.ts';

/** What only operators are shown of a task. */
export const ofOperators = ({ accountId, engine, engineCost, route, tokenId }: Task) => ({
  accountId,
  tokenId: tokenId ?? null,
  engine,
  route,
  engineCostMicros: engineCost ?? null,
});

export const presentOperatedTask = (task: Task, settings: Settings) => ({
  ...presentTaskSummary(task, settings),
  ...ofOperators(task),
  webhookStatus: task.webhookStatus ?? null,
});
