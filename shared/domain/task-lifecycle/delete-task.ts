/** Deletes a task: cancels it if it is open, replaces it by its remains, and erases everything else. */
import type { Stores } from '../stores.ts';
import { type DeletedTask, isDeleted, remainsOf } from '../tasks/deleted-task.ts';
import { isTerminal, type Task } from '../tasks/task.ts';
import { evenDeleted } from '../tasks/task-store.ts';
import { type EndTaskNeeds, endTask } from './end-task.ts';
import { type EraseNeeds, eraseTask } from './erase-task.ts';

export interface DeleteTaskNeeds
  extends EndTaskNeeds,
    EraseNeeds,
    Pick<Stores, 'circuits' | 'deletedTasks' | 'engineJobs' | 'tasks'> {}

/**
 * How often the task is read again: after its end a task changes only a few times, with each attempt at its webhook.
 */
const maxAttempts = 20;

async function hide(needs: DeleteTaskNeeds, given: Task): Promise<DeletedTask> {
  let task: Task | undefined = given;
  for (let tries = 1; task && tries <= maxAttempts; tries += 1) {
    if (isDeleted(task)) return task;
    if (isTerminal(task)) {
      const remains = remainsOf(task, needs.clock.now());
      if (await needs.deletedTasks.replace(task, remains)) return remains;
    } else await endTask(needs, task, { status: 'failed', code: 'CANCELED' });
    task = await needs.tasks.find(task.taskId, evenDeleted);
  }
  throw new Error('a task could not be replaced by its remains');
}

/** Deletes a task, or completes a deletion that was interrupted; the sweeper does so, too. */
export async function deleteTask(needs: DeleteTaskNeeds, task: Task): Promise<void> {
  await eraseTask(needs, await hide(needs, task));
}
