/** Presents a task to operators: with its account, its engine and what the engines charge. */
import { timestamp } from '../../platform/clock.ts';
import type { Settings } from '../../platform/settings.ts';
import { presentTaskSummary } from '../tasks/present-task.ts';
import { isTerminal, type Task } from '../tasks/task.ts';

/** What only operators are shown of a task. */
export const ofOperators = (task: Task) => ({
  accountId: task.accountId,
  tokenId: task.tokenId ?? null,
  canceledBy: task.canceledBy ?? null,
  engine: task.engine,
  route: task.route,
  engineCostMicros: task.engineCost ?? null,
  deadlineAt: isTerminal(task) ? null : timestamp(task.deadlineAt),
});

export const presentOperatedTask = (task: Task, settings: Settings, email: string | null) => ({
  ...presentTaskSummary(task, settings),
  ...ofOperators(task),
  email,
  webhookStatus: task.webhookStatus ?? null,
});
