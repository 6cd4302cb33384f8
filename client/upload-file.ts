/** Uploads a file, so that operations can use it by its URL. */
import type { AnyRequest, Calls } from './call.ts';
import { UnexpectedResponseError } from './errors.ts';
import type { CompletedFile, FileRequest, UploadForm, UploadPart } from './operations.ts';
import type { Outgoing, Send } from './sender.ts';
import { sourceOf, type UploadContent } from './upload-source.ts';

export interface UploadOptions extends Pick<AnyRequest, 'idempotencyKey' | 'signal' | 'maxRetries'> {
  /** The type of the file; unless given, that of the Blob, or what the extension of the path stands for. */
  readonly contentType?: FileRequest['contentType'];
  /** The size of a stream. Without it, the stream is read into memory first. */
  readonly bytes?: number;
}

/** @throws what calls throw, and {RangeError} if a stream does not have the size that was given */
export type UploadFile = (content: UploadContent, options?: UploadOptions) => Promise<CompletedFile>;

/** The slowest connection on which an attempt to send a part of the file is not aborted. */
const bytesPerSecond = 250_000;

const formOf = ({ fields }: UploadForm, file: Blob): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', file);
  return form;
};

function etagIn(response: Response, text: string): string {
  const [, code = 'no code'] = /<Code>(\w+)<\/Code>/.exec(text) ?? [];
  if (!response.ok) throw new UnexpectedResponseError(response, `came from the storage: ${code}`);
  return response.headers.get('etag') ?? '';
}

export const fileUploader =
  ({ createFile, completeFile }: Pick<Calls, 'createFile' | 'completeFile'>, send: Send): UploadFile =>
  async (content, { contentType, bytes, idempotencyKey, ...options } = {}) => {
    const source = await sourceOf(content, bytes);
    const body = { contentType: contentType ?? source.contentType, bytes: source.bytes } as FileRequest;
    const { data } = await createFile({ body, ...options, idempotencyKey });
    const { fileId, url, upload } = data;

    const store = (outgoing: Pick<Outgoing<string>, 'method' | 'url' | 'body'>, size: number): Promise<string> => {
      const attemptTimeoutSeconds = 30 + size / bytesPerSecond;
      const timeouts = { attemptTimeoutSeconds, timeoutSeconds: 5 * attemptTimeoutSeconds };
      return send({ ...options, ...outgoing, ...timeouts, isRepeatable: true, isLimited: false, read: etagIn });
    };
    if (upload.method === 'POST') {
      const form = formOf(upload, await source.take(source.bytes));
      await store({ method: 'POST', url: upload.url, body: form }, source.bytes);
      return { fileId, url };
    }
    const etags: string[] = [];
    const put = async (part: UploadPart) =>
      store({ method: 'PUT', url: part.url, body: await source.take(part.bytes) }, part.bytes);
    for (const part of upload.parts) etags.push(await put(part));
    return (await completeFile({ params: { fileId }, body: { etags }, ...options })).data;
  };
