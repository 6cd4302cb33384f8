/** Stores the files of accounts: accepts uploads by form or in parts, and keeps images that a resource uses. */
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
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
  /** When the form expires, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

interface Part {
  readonly number: number;
  readonly bytes: number;
}

interface ExpectedParts {
  readonly contentType: string;
  readonly parts: readonly Part[];
  readonly forSeconds: number;
}

interface UploadInParts {
  readonly uploadId: string;
  readonly parts: readonly (Part & { readonly url: string })[];
  /** When the URLs of the parts expire, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface FileStorage {
  /** Creates a form that uploads exactly one file of this type and size. */
  form(key: string, file: ExpectedFile): Promise<UploadForm>;
  /** Begins an upload in parts of exactly these sizes. */
  beginParts(key: string, file: ExpectedParts): Promise<UploadInParts>;
  /**
   * Combines the parts; can be repeated. `unusable` if a part is missing or different; `gone` if the upload never began
   * or was dropped.
   */
  completeParts(key: string, uploadId: string, etags: readonly string[]): Promise<'complete' | 'unusable' | 'gone'>;
  /** The size of an uploaded file; undefined if there is none. */
  sizeOf(key: string): Promise<number | undefined>;
  /** An uploaded file; undefined if nothing was uploaded. @throws {TooManyBytes} */
  readUpload(key: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** Reads a kept image. @throws {Error} if there is none, {TooManyBytes} */
  readKept(key: string, maxBytes: number): Promise<Uint8Array>;
  /** Stores an image permanently, in the bucket that serves results. */
  keep(key: string, file: { readonly body: Uint8Array; readonly contentType: string }): Promise<void>;
}

/** The expiry in the signed policy of a form, which the storage enforces. */
const expirationIn = ({ Policy = '' }: Readonly<Record<string, string>>): number => {
  const { expiration } = JSON.parse(Buffer.from(Policy, 'base64').toString()) as { readonly expiration: string };
  return Date.parse(expiration);
};

/** The expiry in a presigned URL, which the storage enforces; its date has the form `20261121T120000Z`. */
const expirationOf = (url: string): number => {
  const parameters = new URL(url).searchParams;
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(parameters.get('X-Amz-Date') ?? '') ?? [];
  const signedAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return signedAt + Number(parameters.get('X-Amz-Expires')) * 1000;
};

type Verbs<Name extends keyof FileStorage> = Pick<FileStorage, Name>;

/** Storage errors for parts that do not form a file. */
const unusableParts = new Set(['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall', 'MalformedXML']);

const uploadsInParts = (client: S3Client, settings: Settings): Verbs<'beginParts' | 'completeParts' | 'sizeOf'> => ({
  async beginParts(key, { contentType, parts, forSeconds }) {
    const place = { Bucket: settings.inputsBucket, Key: key };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...place, ContentType: contentType }));
    if (UploadId === undefined) throw new Error('the storage began an upload without an id');
    const addressed = await Promise.all(
      parts.map(async ({ number, bytes }) => {
        const part = new UploadPartCommand({ ...place, UploadId, PartNumber: number, ContentLength: bytes });
        // The length of a part is signed too, so that the storage accepts no other size.
        const signableHeaders = new Set(['host', 'content-length']);
        return { number, bytes, url: await getSignedUrl(client, part, { expiresIn: forSeconds, signableHeaders }) };
      }),
    );
    return {
      uploadId: UploadId,
      parts: addressed,
      expiresAt: Math.min(...addressed.map(({ url }) => expirationOf(url))),
    };
  },
  async completeParts(key, uploadId, etags) {
    const Parts = etags.map((etag, index) => ({ PartNumber: index + 1, ETag: etag }));
    const named = { Bucket: settings.inputsBucket, Key: key, UploadId: uploadId };
    try {
      await client.send(new CompleteMultipartUploadCommand({ ...named, MultipartUpload: { Parts } }));
      return 'complete';
    } catch (error) {
      const { name } = error as Error;
      if (name === 'NoSuchUpload') return 'gone';
      if (unusableParts.has(name)) return 'unusable';
      throw error;
    }
  },
  async sizeOf(key) {
    try {
      const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket: settings.inputsBucket, Key: key }));
      return ContentLength;
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  },
});

export function fileStorage({ settings }: { readonly settings: Settings }): FileStorage {
  const client = new S3Client({
    ...storageClient,
    ...settings.aws('S3'),
    forcePathStyle: true,
    // By default, the S3 client would sign the checksum of an empty body into the URL of a part.
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });

  async function read(Bucket: string, Key: string, maxBytes: number): Promise<Uint8Array> {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    return collectBytes((Body ?? []) as AsyncIterable<Uint8Array>, maxBytes);
  }

  return {
    ...uploadsInParts(client, settings),
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
