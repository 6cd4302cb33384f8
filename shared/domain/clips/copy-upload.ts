/** Records the upload that copies a task's video, so that its parts can always be cleaned up. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { WorkStorage } from '../../platform/work-storage.ts';
import { sourceKey } from '../tasks/task.ts';
import { uploadKey } from './clip-task.ts';

const maxIdBytes = 4096;

/** Begins the upload, or returns the id of the one that an earlier attempt began. */
export async function beginCopy(work: Pick<WorkStorage, 'begin' | 'read' | 'write'>, taskId: string): Promise<string> {
  const begun = await work.read(uploadKey(taskId), maxIdBytes);
  if (begun !== undefined) return begun;
  const uploadId = await work.begin(sourceKey(taskId), 'video/mp4');
  await work.write(uploadKey(taskId), uploadId, 'text/plain');
  return uploadId;
}

interface DropNeeds {
  readonly logger: Logger;
  readonly work: Pick<WorkStorage, 'abort' | 'delete' | 'read'>;
}

/** Deletes the copy, whether or not it is complete; can be repeated. */
export async function deleteCopy(work: DropNeeds['work'], taskId: string): Promise<void> {
  const key = sourceKey(taskId);
  const uploadId = await work.read(uploadKey(taskId), maxIdBytes);
  if (uploadId !== undefined) await work.abort({ key, uploadId });
  await work.delete(key);
}

/** Deletes the copy of an ended task. Best effort: what remains expires with the inputs. */
export async function dropCopy({ logger, work }: DropNeeds, taskId: string): Promise<void> {
  try {
    await deleteCopy(work, taskId);
  } catch (error) {
    logger.warn('copied video not deleted', { taskId, reason: (error as Error).name });
  }
}
