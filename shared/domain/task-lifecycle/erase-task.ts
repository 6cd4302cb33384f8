/**
 * Erases what is stored for a deleted task. This is the list of all places in which something is stored for a task:
 *
 * | Where                          | What                                                | Who stores it                                   | If the task is deleted            |
 * |--------------------------------|-----------------------------------------------------|-------------------------------------------------|-----------------------------------|
 * | row `TASK#id`, `TASK`          | input, label, reference, error, results             | creation, workflow steps, callbacks, deliveries | replaced by `remainsOf`; writes are refused by their conditions |
 * | rows `TASK#id`, `JOB#name`     | references, outcomes with URLs and texts            | workflow steps, callbacks                       | replaced by a canceled job; writes are refused |
 * | rows `TASK#id`, `DELIVERY#nnn` | times and statuses                                  | webhook worker                                  | kept for 30 days: they contain no text |
 * | bucket of inputs, `inputs/id/` | copies, transcript, plan, captions, clips, uploads  | workflow steps, engines on AWS                  | erased; stored later: see below   |
 * | bucket of results, `results/id-secret/` | results, posters                           | Finalize                                        | erased; stored later: see below   |
 * | rows `PUBLISHED#sha256`        | digest, day, medium, source type of results         | end                                             | kept: they lead to no task or account |
 * | rows of figures                | sums of a day, and what engines cost                | end, callbacks                                  | kept: they contain sums only      |
 * | indexes of what operators search for | client reference, id of the request           | creation                                        | left with the attributes of the row |
 * | rows of the ledger, usage, keys, influencers | sums, ids; an influencer’s description | creation, end                                | kept: they are resources of their own |
 *
 * A file may still be stored after the erasure by a step that read the task before. Such a step then fails to write to
 * the row of the task or of its job, which has the next sweep erase the task again (`eraseSoon`). If the step dies first,
 * or the file is stored by an engine, it is found by the last erasure (`nextErasureAt`).
 */
import type { Clock } from '../../platform/clock.ts';
import type { ObjectEraser } from '../../platform/object-eraser.ts';
import type { WorkStorage } from '../../platform/work-storage.ts';
import { deleteCopy } from '../clips/copy-upload.ts';
import type { Stores } from '../stores.ts';
import type { DeletedTask } from '../tasks/deleted-task.ts';
import { inputsFolder, resultsFolder } from '../tasks/task.ts';

export interface EraseNeeds extends Pick<Stores, 'deletedTasks' | 'engineJobs'> {
  readonly clock: Clock;
  readonly objectEraser: ObjectEraser;
  readonly work: Pick<WorkStorage, 'abort' | 'delete' | 'read'>;
}

/** Erases everything; can be repeated at any point. */
export async function eraseTask(needs: EraseNeeds, task: DeletedTask): Promise<void> {
  const { clock, deletedTasks, engineJobs, objectEraser } = needs;
  const { taskId } = task;
  const eraseInputs = async () => {
    // The copy of a video that is not complete is known only by a document in the folder, which must not be erased first.
    await deleteCopy(needs.work, taskId);
    await objectEraser.erase('inputs', inputsFolder(taskId));
  };
  await Promise.all([
    engineJobs.erase(taskId, clock.now()),
    eraseInputs(),
    objectEraser.erase('results', resultsFolder(task)),
  ]);
  await deletedTasks.recordErasure(task, clock.now());
}
