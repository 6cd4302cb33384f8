/** The kind of file that a task produces, and whether the task is still running. */
import { generationOf } from '../../../shared/contracts/generate.ts';
import type { Medium } from '../../../shared/contracts/generation-contract.ts';
import { isTaskType } from '../../../shared/contracts/task-types.ts';
import type { TaskSummary } from '../../../shared/contracts/tasks.ts';
import type { Formats } from '../../language/format.ts';

export const mediumOf = (taskType: string): Medium => (isTaskType(taskType) ? generationOf(taskType).medium : 'image');

type Result = NonNullable<TaskSummary['results']>[number];

/** The size of an image or the duration of a recording. */
export const extentOf = ({ durationSec, height, width }: Result, { duration }: Pick<Formats, 'duration'>): string[] => [
  ...(width !== undefined && height !== undefined ? [`${width} × ${height}`] : []),
  ...(durationSec === undefined ? [] : [duration(durationSec)]),
];

export const isOpen = ({ status }: Pick<TaskSummary, 'status'>): boolean =>
  status !== 'completed' && status !== 'failed';

/** How often to poll the tasks: often while one is running, and otherwise just enough to notice new ones. */
export const pollMs = (tasks: readonly TaskSummary[] | undefined): number => (tasks?.some(isOpen) ? 2000 : 10_000);
