/**
 * Stores what the steps of a workflow pass to each other, in the inputs bucket: large files in parts, and documents.
 */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  NoSuchUpload,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { collectBytes } from './limit-bytes.ts';
import type { RangedFile } from './ranged-file.ts';
import { storageClient } from './sdk-client.ts';
import type { Settings } from './settings.ts';

export interface Upload {
  readonly key: string;
  readonly uploadId: string;
}

export interface UploadedPart {
  readonly number: number;
  readonly etag: string;
}

export type StoredFile = Extract<RangedFile, { access: 'ranges' }>;

export interface WorkStorage {
  /** Begins a file whose parts any number of processes may upload, in any order. Returns the upload's id. */
  begin(key: string, contentType: string): Promise<string>;
  /** Uploads a part of at least 5 MiB, unless it is the last; an earlier part of the same number is replaced. */
  uploadPart(upload: Upload, number: number, bytes: Uint8Array): Promise<UploadedPart>;
  /** Completes an upload; can be repeated. */
  complete(upload: Upload, parts: readonly UploadedPart[]): Promise<void>;
  /** Drops an incomplete upload and its parts. */
  abort(upload: Upload): Promise<void>;
  /** Opens a file to read it in parts; undefined if it does not exist. */
  open(key: string): Promise<StoredFile | undefined>;
  /** Reads a small document; undefined if it does not exist. @throws {TooManyBytes} */
  read(key: string, maxBytes: number): Promise<string | undefined>;
  write(key: string, document: string, contentType: string): Promise<void>;
  delete(key: string): Promise<void>;
}

/** Ignores the error for an upload that no longer exists because it was completed or aborted. */
const unlessGone = async (request: Promise<unknown>): Promise<void> => {
  await request.catch((error: unknown) => {
    // The error's name is checked as well, because some substitutes for S3 return the error without its class.
    if (!(error instanceof NoSuchUpload) && (error as Error).name !== 'NoSuchUpload') throw error;
  });
};

const unlessMissing = async <Found>(request: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await request;
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
};

const sizeIn = (contentRange: string | undefined): number => Number(contentRange?.split('/')[1]);

type Verbs<Name extends keyof WorkStorage> = Pick<WorkStorage, Name>;

const uploads = (client: S3Client, bucket: () => string): Verbs<'begin' | 'uploadPart' | 'complete' | 'abort'> => {
  const named = ({ key, uploadId }: Upload) => ({ Bucket: bucket(), Key: key, UploadId: uploadId });
  return {
    async begin(key, contentType) {
      const command = new CreateMultipartUploadCommand({ Bucket: bucket(), Key: key, ContentType: contentType });
      const { UploadId } = await client.send(command);
      if (UploadId === undefined) throw new Error('the storage began an upload without an id');
      return UploadId;
    },
    async uploadPart(upload, number, bytes) {
      const part = { ...named(upload), PartNumber: number, Body: bytes, ContentLength: bytes.length };
      const { ETag } = await client.send(new UploadPartCommand(part));
      if (ETag === undefined) throw new Error('the storage took a part without an ETag');
      return { number, etag: ETag };
    },
    complete(upload, parts) {
      const Parts = parts
        .toSorted((one, other) => one.number - other.number)
        .map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
      return unlessGone(
        client.send(new CompleteMultipartUploadCommand({ ...named(upload), MultipartUpload: { Parts } })),
      );
    },
    abort: (upload) => unlessGone(client.send(new AbortMultipartUploadCommand(named(upload)))),
  };
};

export function workStorage({ settings }: { readonly settings: Settings }): WorkStorage {
  const client = new S3Client({ ...storageClient, ...settings.aws('S3'), forcePathStyle: true });
  const bucket = () => settings.inputsBucket;
  const get = (key: string, range?: string) =>
    unlessMissing(client.send(new GetObjectCommand({ Bucket: bucket(), Key: key, ...(range && { Range: range }) })));
  const bytesOf = (body: unknown, maxBytes: number) =>
    collectBytes((body ?? []) as AsyncIterable<Uint8Array>, maxBytes);
  return {
    ...uploads(client, bucket),
    async open(key) {
      const first = await get(key, 'bytes=0-0');
      if (!first) return undefined;
      await bytesOf(first.Body, 1);
      const size = sizeIn(first.ContentRange);
      return {
        access: 'ranges',
        size,
        async read(start, end) {
          const part = await get(key, `bytes=${start}-${end - 1}`);
          return bytesOf(part?.Body, end - start);
        },
      };
    },
    async read(key, maxBytes) {
      const found = await get(key);
      return found && (await bytesOf(found.Body, maxBytes)).toString();
    },
    async write(key, document, contentType) {
      const object = { Bucket: bucket(), Key: key, Body: document, ContentType: contentType };
      await client.send(new PutObjectCommand(object));
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket(), Key: key }));
    },
  };
}
