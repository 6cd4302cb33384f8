/**
 * Remembers erased accounts outside the table, in the inputs bucket, so that a restore of the table cannot bring them
 * back: after one, they are erased again.
 */
import { PutObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { storageClient } from './sdk-client.ts';
import type { Settings } from './settings.ts';

export interface Tombstones {
  /** Records that an account was erased; can be repeated. */
  set(accountId: string): Promise<void>;
  /** The ids of all remembered accounts. */
  all(): AsyncGenerator<string>;
}

const folder = 'erased-accounts/';

export function tombstones({ settings }: { readonly settings: Settings }): Tombstones {
  const client = new S3Client({ ...storageClient, ...settings.aws('S3'), forcePathStyle: true });
  return {
    async set(accountId) {
      await client.send(
        new PutObjectCommand({ Bucket: settings.inputsBucket, Key: `${folder}${accountId}`, Body: accountId }),
      );
    },
    async *all() {
      const pages = paginateListObjectsV2({ client }, { Bucket: settings.inputsBucket, Prefix: folder });
      for await (const { Contents = [] } of pages) {
        for (const { Key = '' } of Contents) yield Key.slice(folder.length);
      }
    },
  };
}
