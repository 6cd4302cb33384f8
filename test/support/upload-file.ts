/** Uploads files with the forms that `createFile` returns. */
import { expect } from 'vitest';
import { tinyPng } from './tiny-image.ts';

export interface Upload {
  readonly fileId: string;
  readonly url: string;
  readonly upload: { readonly url: string; readonly fields: Record<string, string>; readonly expiresAt: string };
}

interface Creating {
  call(operationId: 'createFile', call: object): Promise<{ status: number; text: string; body: { data?: unknown } }>;
}

/** Creates a file of a declared size and type, without uploading it. */
export async function declareFile(
  host: Creating,
  token: string,
  bytes: number,
  contentType = 'image/png',
): Promise<Upload> {
  const response = await host.call('createFile', { token, body: { contentType, bytes } });
  expect(response.status, response.text).toBe(201);
  return response.body.data as Upload;
}

/** Sends the form of a file, with changed fields; undefined ones are omitted. */
export async function sendForm(
  { upload }: Upload,
  file: Uint8Array,
  changes: Readonly<Record<string, string | undefined>> = {},
) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...upload.fields, ...changes })) {
    if (value !== undefined) form.append(name, value);
  }
  form.append('file', new Blob([Buffer.from(file)], { type: 'application/octet-stream' }), 'secret-name.txt');
  const response = await fetch(upload.url, { method: 'POST', body: form });
  const text = await response.text();
  return { status: response.status, code: /<Code>(\w+)<\/Code>/.exec(text)?.[1], text };
}

/** Uploads content to a new file and returns its URL, to use as an input. */
export async function uploadedUrl(
  host: Creating,
  token: string,
  file: Uint8Array,
  contentType?: string,
): Promise<string> {
  const declared = await declareFile(host, token, file.length, contentType);
  expect(await sendForm(declared, file)).toMatchObject({ status: 204 });
  return declared.url;
}

/** Uploads content to a new file and returns its id. */
export async function uploadFile(host: Creating, token: string, file: Uint8Array = tinyPng(40, 30)): Promise<string> {
  const declared = await declareFile(host, token, file.length);
  expect(await sendForm(declared, file)).toMatchObject({ status: 204 });
  return declared.fileId;
}
