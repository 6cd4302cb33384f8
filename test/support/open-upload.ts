/** Whether an upload in parts is still open; the local substitute for S3 cannot list uploads. */
import type { Upload, WorkStorage } from '../../shared/platform/work-storage.ts';

export async function isUploadOpen(work: WorkStorage, upload: Upload): Promise<boolean> {
  try {
    await work.uploadPart(upload, 1, Buffer.from('part'));
    return true;
  } catch (error) {
    if ((error as Error).name === 'NoSuchUpload') return false;
    throw error;
  }
}
