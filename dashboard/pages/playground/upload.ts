/** Uploads a file by the operations `createFile` and `completeFile`, and reports its progress. */
import { filesContracts } from '../../../shared/contracts/files.ts';
import type { MediaType } from '../../../shared/contracts/media.ts';
import type { TokenMode } from '../../../shared/contracts/token-modes.ts';
import { ApiError } from '../../api/api-error.ts';
import { call, type Data } from '../../api/call.ts';

interface Sending {
  readonly signal: AbortSignal;
  readonly onProgress: (sentBytes: number) => void;
}

/** Sends a request body; unlike `fetch`, it reports progress. Resolves to the `ETag`. @throws {ApiError} */
function send(method: 'POST' | 'PUT', url: string, body: FormData | Blob, { signal, onProgress }: Sending) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const request = new XMLHttpRequest();
  request.open(method, url);
  request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
  request.addEventListener('load', () => {
    if (request.status < 300) resolve(request.getResponseHeader('etag') ?? '');
    else reject(new ApiError(request.status, 'UPLOAD_REJECTED', request.responseText));
  });
  request.addEventListener('error', () => reject(new ApiError(0, 'NETWORK', 'The storage cannot be reached.')));
  request.addEventListener('abort', () => reject(signal.reason as Error));
  signal.addEventListener('abort', () => request.abort());
  request.send(body);
  return promise;
}

type Upload = Data<typeof filesContracts.createFile>['upload'];

async function sendForm({ url, fields }: Extract<Upload, { method: 'POST' }>, file: File, sending: Sending) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', file);
  await send('POST', url, form, sending);
}

/** Sends one part after the other: several at once would be no faster on most connections. */
async function sendParts({ parts }: Extract<Upload, { method: 'PUT' }>, file: File, { signal, onProgress }: Sending) {
  const etags: string[] = [];
  let sent = 0;
  for (const { bytes, url } of parts) {
    const start = sent;
    const onPart = (loaded: number) => onProgress(start + loaded);
    etags.push(await send('PUT', url, file.slice(start, start + bytes), { signal, onProgress: onPart }));
    sent += bytes;
  }
  return etags;
}

/** Uploads a file and returns its address as an input. @throws {ApiError} */
export async function uploadFile(file: File, contentType: MediaType, mode: TokenMode, sending: Sending) {
  const { signal } = sending;
  const created = await call(filesContracts.createFile, { body: { contentType, bytes: file.size }, mode }, { signal });
  const { fileId, upload, url } = created;
  if (upload.method === 'POST') await sendForm(upload, file, sending);
  else {
    const etags = await sendParts(upload, file, sending);
    await call(filesContracts.completeFile, { params: { fileId }, body: { etags }, mode }, { signal });
  }
  return url;
}
