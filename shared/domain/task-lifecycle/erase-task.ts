/**
 * Erases what is stored for a deleted task. The register of personal data (`shared/domain/privacy/`) lists all of it:
 *
 * - the row of the task is replaced by `remainsOf`, and those of its jobs by canceled ones; later writes are refused by
 *   their conditions. Deliveries contain no text and expire;
 * - its folders in both buckets are erased; what is stored there later, see below;
 * - digests of published files, figures, ledger, usage and influencers are not the task's own, and stay.
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
    // An incomplete copy of a video is known only from a document in the folder, so the copy is deleted before the
    // folder.
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
