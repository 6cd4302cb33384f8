/** Lists what the buckets of a local service contain. */
import { paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { localAccess } from '../../infra/local/local-access.ts';

/** The keys of all objects in both buckets that contain the given text. */
export async function storedKeys(storageUrl: string | undefined, text: string): Promise<string[]> {
  if (storageUrl === undefined) throw new Error('the service has no storage');
  const client = new S3Client({ ...localAccess(storageUrl), forcePathStyle: true });
  try {
    const pages = ['inputs', 'results'].map((Bucket) => Array.fromAsync(paginateListObjectsV2({ client }, { Bucket })));
    const keys = (await Promise.all(pages)).flat().flatMap(({ Contents = [] }) => Contents.map(({ Key = '' }) => Key));
    return keys.filter((key) => key.includes(text));
  } finally {
    client.destroy();
  }
}
