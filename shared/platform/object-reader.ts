/** Reads objects from buckets as streams. */
import type { AwsAccess } from './aws-access.ts';
import { storageClient } from './sdk-client.ts';

export interface OpenObject {
  readonly body: AsyncIterable<Uint8Array>;
  readonly bytes?: number;
}

/** Opens an object by its key. @throws {Error} if there is none */
export type OpenStoredObject = (bucket: string, key: string) => Promise<OpenObject>;

/** The longest pause between bytes of a stream. */
const idleMs = 20_000;

/** The client is loaded on first use: few tasks have outputs in a bucket. */
async function connect(aws: AwsAccess) {
  const { GetObjectCommand, S3Client } = await import('./object-sdk.ts');
  const requestHandler = { ...storageClient.requestHandler, socketTimeout: idleMs };
  const client = new S3Client({ ...storageClient, requestHandler, ...aws, forcePathStyle: true });
  return (Bucket: string, Key: string) => client.send(new GetObjectCommand({ Bucket, Key }));
}

export function objectReader(aws: AwsAccess): OpenStoredObject {
  let connected: ReturnType<typeof connect> | undefined;
  return async (bucket, key) => {
    connected ??= connect(aws);
    const get = await connected;
    const { Body, ContentLength: bytes } = await get(bucket, key);
    return { body: (Body ?? []) as AsyncIterable<Uint8Array>, ...(bytes !== undefined && { bytes }) };
  };
}
