/** Contents that the model uploads: all of one size, so that each fits every form. */
import { tinyPng } from '../../support/tiny-image.ts';

export type UploadedContent = 'image' | 'another image' | 'text';

export const uploadBytes = 128;

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(uploadBytes - bytes.length)]);

const contents: Readonly<Record<UploadedContent, Buffer>> = {
  image: padded(tinyPng(40, 30)),
  'another image': padded(tinyPng(30, 40)),
  text: Buffer.alloc(uploadBytes, 'text'),
};

export interface UploadForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Whether a form took the content. */
export async function uploaded({ url, fields }: UploadForm, content: UploadedContent): Promise<boolean> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(contents[content])]), 'file');
  const response = await fetch(url, { method: 'POST', body: form });
  await response.body?.cancel();
  return response.status === 204;
}

/** Which content some bytes are. */
export const contentOf = (bytes: Buffer): string | undefined =>
  Object.entries(contents).find(([, content]) => content.equals(bytes))?.[0];
