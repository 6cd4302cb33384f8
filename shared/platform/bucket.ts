/** Stores files: results permanently, and inputs of tasks for a short time. */

import { Readable } from 'node:stream';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { storageClient } from './sdk-client.ts';
import type { Settings } from './settings.ts';

export interface Bucket {
  /** Stores a stream of any length under a key and returns its size in bytes; overwrites an existing object. */
  write(
    key: string,
    content: { readonly body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>; readonly contentType: string },
  ): Promise<number>;
  /** A presigned URL that lets anyone read the object for a limited time. */
  addressOf(key: string, forSeconds: number): Promise<string>;
}

function bucketNamed({ aws }: Settings, name: () => string): Bucket {
  const client = new S3Client({ ...storageClient, ...aws('S3'), forcePathStyle: true });
  return {
    async write(key, { body, contentType }) {
      let bytes = 0;
      async function* counted() {
        for await (const chunk of body) {
          bytes += chunk.length;
          yield chunk;
        }
      }
      const params = {
        Bucket: name(),
        Key: key,
        Body: Readable.from(counted(), { objectMode: false }),
        ContentType: contentType,
      };
      await new Upload({ client, params }).done();
      return bytes;
    },
    addressOf: (key, forSeconds) =>
      getSignedUrl(client, new GetObjectCommand({ Bucket: name(), Key: key }), {
        expiresIn: forSeconds,
      }),
  };
}

interface Source {
  readonly settings: Settings;
}

export const resultsBucket = ({ settings }: Source): Bucket => bucketNamed(settings, () => settings.resultsBucket);

/** The bucket of inputs. It is not public; engines get URLs that expire. */
export const inputsBucket = ({ settings }: Source): Bucket => bucketNamed(settings, () => settings.inputsBucket);
