/** Stores the files of accounts: receives them through upload forms, and keeps the images of those that are used. */
import { GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { collectBytes } from './limit-bytes.ts';
import { storageClient } from './sdk-client.ts';
import type { Settings } from './settings.ts';

interface ExpectedFile {
  readonly contentType: string;
  readonly bytes: number;
  readonly forSeconds: number;
}

interface UploadForm {
  readonly url: string;
  readonly fields: Record<string, string>;
  /** Until when the storage accepts the form, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface FileStorage {
  /** A form that uploads one file of exactly this type and size to a key. */
  form(key: string, file: ExpectedFile): Promise<UploadForm>;
  /** An uploaded file; undefined if nothing was uploaded. @throws {TooManyBytes} */
  readUpload(key: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** A kept image. @throws {Error} if there is none, {TooManyBytes} */
  readKept(key: string, maxBytes: number): Promise<Uint8Array>;
  /** Keeps an image under a key, in the bucket that serves results. */
  keep(key: string, file: { readonly body: Uint8Array; readonly contentType: string }): Promise<void>;
}

/** As the storage reads it from the signed policy. */
const expirationIn = ({ Policy = '' }: Readonly<Record<string, string>>): number => {
  const { expiration } = JSON.parse(Buffer.from(Policy, 'base64').toString()) as { readonly expiration: string };
  return Date.parse(expiration);
};

export function fileStorage({ settings }: { readonly settings: Settings }): FileStorage {
  const client = new S3Client({ ...storageClient, ...settings.aws('S3'), forcePathStyle: true });

  async function read(Bucket: string, Key: string, maxBytes: number): Promise<Uint8Array> {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    return collectBytes((Body ?? []) as AsyncIterable<Uint8Array>, maxBytes);
  }

  return {
    async form(key, { contentType, bytes, forSeconds }) {
      const { url, fields } = await createPresignedPost(client, {
        Bucket: settings.inputsBucket,
        Key: key,
        Fields: { 'Content-Type': contentType },
        Conditions: [['content-length-range', bytes, bytes]],
        Expires: forSeconds,
      });
      const { uploadsUrl } = settings;
      return { url: uploadsUrl === 'bucket' ? url : uploadsUrl, fields, expiresAt: expirationIn(fields) };
    },
    async readUpload(key, maxBytes) {
      try {
        return await read(settings.inputsBucket, key, maxBytes);
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
    readKept: (key, maxBytes) => read(settings.resultsBucket, key, maxBytes),
    async keep(key, { body, contentType }) {
      const object = { Bucket: settings.resultsBucket, Key: key, Body: body, ContentType: contentType };
      await client.send(new PutObjectCommand(object));
    },
  };
}
