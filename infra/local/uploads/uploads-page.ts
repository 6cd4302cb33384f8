/** Accepts uploads by form and checks them as S3 does, because the local storage would accept any. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { formBytes } from '../../../shared/contracts/uploads.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import { collectBytes, TooManyBytes } from '../../../shared/platform/limit-bytes.ts';
import type { GatewayPage } from '../http-gateway/http-gateway.ts';
import { unfragmentedBody } from '../http-gateway/request-body.ts';
import { localAccess } from '../local-access.ts';
import { corsHeaders } from '../queues-and-storage.ts';
import { type Fields, policyError, type StorageError } from './post-policy.ts';

export const uploadsPath = '/uploads';

/** S3's limit for the fields of a form, without its file. */
const fieldsBytes = 20_000;
const maxBytes = formBytes + 5 * fieldsBytes;

/** More parts than any form that a user could need; each takes the parser more time than its bytes. */
const maxParts = 100;

interface Form {
  readonly fields: Fields;
  readonly file: Blob | undefined;
}

const malformed: StorageError = {
  status: 400,
  code: 'MalformedPOSTRequest',
  message: 'The body of your POST request is not well-formed multipart/form-data.',
};

const invalidArgument = (message: string): StorageError => ({ status: 400, code: 'InvalidArgument', message });

const tooManyFields: StorageError = {
  status: 400,
  code: 'MaxPostPreDataLengthExceeded',
  message: 'Your POST request fields preceding the upload file were too large.',
};

/**
 * What separates the parts of a form (RFC 2046, section 5.1.1). Undefined for a body that is not a form with files, which
 * another parser would read, or that the parser might divide otherwise.
 */
function delimiterIn(contentType: string): string | undefined {
  const [type = '', ...parameters] = contentType.split(';').map((text) => text.trim());
  const [boundary = '', ...others] = parameters.filter((text) => /^boundary=/i.test(text));
  const [, name] = /^boundary="?([\w'()+,./:=?-]{1,70})"?$/i.exec(boundary) ?? [];
  const isForm = type.toLowerCase() === 'multipart/form-data' && others.length === 0;
  return isForm && name !== undefined ? `--${name}` : undefined;
}

function hasTooManyParts(body: Buffer, delimiter: string): boolean {
  let parts = 0;
  for (let at = body.indexOf(delimiter); at >= 0 && parts <= maxParts; parts += 1)
    at = body.indexOf(delimiter, at + delimiter.length);
  return parts > maxParts;
}

/** Fields that follow the file are ignored, as by S3. */
async function formOf(body: Buffer, contentType: string): Promise<Form | undefined> {
  const data = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => undefined);
  if (!data) return undefined;
  const fields: Record<string, string> = {};
  for (const [name, value] of data) {
    if (typeof value !== 'string') return { fields, file: value };
    fields[name] = value;
  }
  return { fields, file: undefined };
}

interface Storage {
  readonly url: string;
  readonly inputsBucket: string;
}

const isError = (value: object): value is StorageError => 'code' in value;

/** The object that a form uploads, or the error. */
async function objectOf(request: IncomingMessage, { inputsBucket }: Storage, now: number) {
  const body = await collectBytes(unfragmentedBody(request), maxBytes).catch((error: unknown) => {
    if (error instanceof TooManyBytes) return undefined;
    throw error;
  });
  if (!body) {
    const message = 'Your proposed upload exceeds the maximum allowed size';
    return { status: 400, code: 'EntityTooLarge', message };
  }
  const contentType = request.headers['content-type'] ?? '';
  const delimiter = delimiterIn(contentType);
  if (delimiter === undefined) return malformed;
  if (hasTooManyParts(body, delimiter)) return tooManyFields;
  const form = await formOf(body, contentType);
  if (!form) return malformed;
  const { fields, file } = form;
  if (!file) return invalidArgument('POST requires exactly one file upload per request.');
  if (!fields.key) return invalidArgument("Bucket POST must contain a field named 'key'.");
  const error = policyError({ ...fields, bucket: inputsBucket }, file.size, now);
  if (error) return error;
  const Body = new Uint8Array(await file.arrayBuffer());
  return { Bucket: inputsBucket, Key: fields.key, Body, ContentType: fields['Content-Type'] };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Sends S3's error document. */
function sendError(response: ServerResponse, { status, code, message }: StorageError, requestId: string): void {
  const id = `<RequestId>${requestId}</RequestId><HostId>local</HostId>`;
  const text = `<Code>${code}</Code><Message>${escaped(message)}</Message>${id}`;
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>\n<Error>${text}</Error>`);
}

/** Creates the page; `storage` is called for each request, because the storage starts after the gateway. */
export const uploadsPage =
  (storage: () => Promise<Storage>, clock: Clock): GatewayPage =>
  async (request, response, requestId) => {
    if (request.url !== uploadsPath) return false;
    for (const [name, value] of Object.entries(corsHeaders(request.headers.origin) ?? {}))
      response.setHeader(name, value);
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return true;
    }
    if (request.method !== 'POST') return false;
    const where = await storage();
    const object = await objectOf(request, where, clock.now());
    if (isError(object)) {
      sendError(response, object, requestId);
      return true;
    }
    const s3 = new S3Client({ ...localAccess(where.url), forcePathStyle: true });
    try {
      const { ETag } = await s3.send(new PutObjectCommand(object));
      response.writeHead(204, { ...(ETag !== undefined && { ETag }) }).end();
    } finally {
      s3.destroy();
    }
    return true;
  };
