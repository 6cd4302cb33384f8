/** The files that an account has uploaded before the concurrent operations begin. */
import { type UploadForm, uploadBytes, uploaded } from '../model/uploads.ts';
import { type Scene, studioRequest } from './scene.ts';

export interface StagedFile {
  readonly fileId: string;
  readonly form: UploadForm;
}

export async function stageFile(scene: Scene): Promise<StagedFile> {
  const body = { contentType: 'image/png', bytes: uploadBytes };
  const { text } = await studioRequest(scene, { operationId: 'createFile', body });
  const { fileId, upload } = (JSON.parse(text) as { data: { fileId: string; upload: UploadForm } }).data;
  if (!(await uploaded(upload, 'image'))) throw new Error('a file was to be uploaded');
  return { fileId, form: upload };
}
