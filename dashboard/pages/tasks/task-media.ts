/** The kind of file that a task produces, and whether the task is still running. */
import { generationOf } from '../../../shared/contracts/generate.ts';
import type { Medium } from '../../../shared/contracts/generation-contract.ts';
import type { TaskSummary } from '../../../shared/contracts/task.ts';
import { isTaskType } from '../../../shared/contracts/task-types.ts';
import { pollHintMs } from '../../api/poll-hints.ts';
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

/** The polling interval without open tasks, which is short enough to notice new ones. */
const newTasksMs = 10_000;

/** The part of a list's query that its polling depends on. */
interface ListQuery {
  readonly queryKey: readonly unknown[];
  readonly state: { readonly data: { readonly tasks: readonly TaskSummary[] } | undefined };
}

/** When to poll a list of tasks: when the service expects one to have ended, or just often enough to notice new ones. */
export const pollMs = (query: ListQuery): number =>
  query.state.data?.tasks.some(isOpen) ? Math.min(pollHintMs(query), newTasksMs) : newTasksMs;
