/** Records the upload that copies a task's video, so that its parts can always be cleaned up. */
import type { WorkStorage } from '../../platform/work-storage.ts';
import { sourceKey, uploadKey } from './clip-task.ts';

const maxIdBytes = 4096;

/** Begins the upload, or returns the id of the one that an earlier attempt began. */
export async function beginCopy(work: Pick<WorkStorage, 'begin' | 'read' | 'write'>, taskId: string): Promise<string> {
  const begun = await work.read(uploadKey(taskId), maxIdBytes);
  if (begun !== undefined) return begun;
  const uploadId = await work.begin(sourceKey(taskId), 'video/mp4');
  await work.write(uploadKey(taskId), uploadId, 'text/plain');
  return uploadId;
}

/** Deletes the copy, whether or not it is complete. */
export async function dropCopy(work: Pick<WorkStorage, 'abort' | 'delete' | 'read'>, taskId: string): Promise<void> {
  const key = sourceKey(taskId);
  const uploadId = await work.read(uploadKey(taskId), maxIdBytes);
  if (uploadId !== undefined) await work.abort({ key, uploadId });
  await work.delete(key);
}
