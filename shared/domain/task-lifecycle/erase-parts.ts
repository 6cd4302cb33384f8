/**
 * Erases the parts of an ended task whose period is over: its results, or its inputs with everything that repeats them.
 * Its ids, times and sums stay, and what was paid for it. The files are erased first and the row is changed last, so
 * that an erasure that was interrupted is repeated.
 *
 * The shortest period is a day, when nothing writes for the task any more: its time limit was over long ago, and reports
 * about the jobs of an ended task are dropped.
 */

import type { Table } from '../../platform/dynamo-table.ts';
import { deleteCopy } from '../clips/copy-upload.ts';
import { retainedTaskStore } from '../tasks/retained-task-store.ts';
import { partsDue } from '../tasks/retention.ts';
import { inputsFolder, resultsFolder, type Task } from '../tasks/task.ts';
import type { EraseNeeds } from './erase-task.ts';

interface Needs extends Omit<EraseNeeds, 'deletedTasks'> {
  readonly table: Table;
}

/** The folder of the inputs has drafts of results, too. It expires after a day, but not at once. */
async function eraseWork({ objectEraser, work }: Needs, { taskId }: Task): Promise<void> {
  await deleteCopy(work, taskId);
  await objectEraser.erase('inputs', inputsFolder(taskId));
}

/** Erases what is due; can be repeated at any point. */
export async function eraseParts(needs: Needs, task: Task): Promise<void> {
  const { clock, engineJobs, objectEraser, table } = needs;
  const now = clock.now();
  const due = partsDue(task, now);
  await Promise.all([
    ...(due.results || due.inputs ? [eraseWork(needs, task)] : []),
    ...(due.results ? [objectEraser.erase('results', resultsFolder(task))] : []),
    // Jobs repeat texts, and addresses of results.
    ...(due.inputs ? [engineJobs.erase(task.taskId, now)] : []),
  ]);
  await retainedTaskStore(table).record(task, due, now);
}
