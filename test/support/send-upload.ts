/** Sends a file with the form that a client received from `createFile`. */
import type { FileUpload } from '../../client/client.ts';

export async function sendUpload({ upload }: FileUpload, file: Uint8Array): Promise<void> {
  if (upload.method !== 'POST') throw new Error('the file is to be sent in parts');
  const form = new FormData();
  for (const [name, value] of Object.entries(upload.fields)) form.append(name, value);
  form.append('file', new Blob([Buffer.from(file)]));
  const response = await fetch(upload.url, { method: 'POST', body: form });
  if (!response.ok) throw new Error(`an upload ended with ${response.status}`);
}
