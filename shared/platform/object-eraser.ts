/** Deletes all objects of a folder in one of the service's buckets. */
import { DeleteObjectsCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { storageClient } from './sdk-client.ts';
import type { Settings } from './settings.ts';

export interface ObjectEraser {
  /** Deletes every object whose key begins with the folder, which ends with a slash; can be repeated. */
  erase(bucket: 'inputs' | 'results', folder: string): Promise<void>;
}

export function objectEraser({ settings }: { readonly settings: Settings }): ObjectEraser {
  const client = new S3Client({ ...storageClient, ...settings.aws('S3'), forcePathStyle: true });
  return {
    async erase(bucket, folder) {
      const Bucket = bucket === 'inputs' ? settings.inputsBucket : settings.resultsBucket;
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: folder })) {
        if (Contents.length === 0) continue;
        const Delete = { Objects: Contents.map(({ Key }) => ({ Key })), Quiet: true };
        const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete }));
        if (Errors.length > 0) throw new Error(`${Errors.length} objects could not be deleted: ${Errors[0]?.Code}`);
      }
    },
  };
}
