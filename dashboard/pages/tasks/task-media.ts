/** What kind of file a task makes, and whether it still runs. */
import { generationOf } from '../../../shared/contracts/generate.ts';
import type { Medium } from '../../../shared/contracts/generation-contract.ts';
import { isTaskType } from '../../../shared/contracts/task-types.ts';
import type { TaskSummary } from '../../../shared/contracts/tasks.ts';
import type { Formats } from '../../language/format.ts';

export const mediumOf = (taskType: string): Medium => (isTaskType(taskType) ? generationOf(taskType).medium : 'image');

type Result = NonNullable<TaskSummary['results']>[number];

/** How large a picture or how long a recording is. */
export const extentOf = ({ durationSec, height, width }: Result, { duration }: Pick<Formats, 'duration'>): string[] => [
  ...(width !== undefined && height !== undefined ? [`${width} × ${height}`] : []),
  ...(durationSec === undefined ? [] : [duration(durationSec)]),
];

export const isOpen = ({ status }: Pick<TaskSummary, 'status'>): boolean =>
  status !== 'completed' && status !== 'failed';

/** How often pages ask: often while something runs, and otherwise for what begins elsewhere. */
export const pollMs = (tasks: readonly TaskSummary[] | undefined): number => (tasks?.some(isOpen) ? 2000 : 10_000);
