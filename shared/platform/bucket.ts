/** How the service keeps results. */

import { Readable } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { Settings } from './settings.ts';

export interface Bucket {
  /** Keeps a stream of any length under a key and tells how many bytes it was; the same key is overwritten. */
  write(
    key: string,
    content: { readonly body: AsyncIterable<Uint8Array>; readonly contentType: string },
  ): Promise<number>;
}

export function resultsBucket({ settings }: { readonly settings: Settings }): Bucket {
  const client = new S3Client({ forcePathStyle: true });
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
        Bucket: settings.resultsBucket,
        Key: key,
        Body: Readable.from(counted(), { objectMode: false }),
        ContentType: contentType,
      };
      await new Upload({ client, params }).done();
      return bytes;
    },
  };
}
