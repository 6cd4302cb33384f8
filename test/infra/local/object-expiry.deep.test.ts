/** Local files are deleted at the same age as by a bucket's lifecycle rule. */
import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, expect, test } from 'vitest';
import { localAccess } from '../../../infra/local/local-access.ts';
import { expireObjects } from '../../../infra/local/object-expiry.ts';
import { startQueuesAndStorage } from '../../../infra/local/queues-and-storage.ts';
import { systemClock } from '../../../shared/platform/clock.ts';

const storage = await startQueuesAndStorage({ visibilityTimeoutSeconds: 30 });
const s3 = new S3Client({ ...localAccess(storage.url), forcePathStyle: true });
afterAll(async () => {
  s3.destroy();
  await storage.close();
});

const dayMs = 24 * 3600 * 1000;

const expireAfter = (days: number) =>
  expireObjects({
    storageUrl: storage.url,
    rules: [
      { bucket: storage.resultsBucket, prefix: 'results/', days: 90 },
      { bucket: storage.inputsBucket, prefix: 'inputs/', days: 1 },
      { bucket: storage.inputsBucket, prefix: 'uploads/', days: 7 },
    ],
    clock: { now: () => systemClock.now() + days * dayMs },
  });

const countIn = async (Bucket: string) => (await s3.send(new ListObjectsV2Command({ Bucket }))).KeyCount;

test('the local storage keeps files of each folder exactly as long as configured, even with several pages of files', async () => {
  const { resultsBucket, inputsBucket } = storage;
  const put = (Bucket: string, Key: string) => s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
  for (let first = 0; first < 1040; first += 40)
    await Promise.all(Array.from({ length: 40 }, (_, at) => put(resultsBucket, `results/${first + at}`)));
  await put(resultsBucket, 'files/1');
  await put(inputsBucket, 'inputs/1');
  await put(inputsBucket, 'uploads/1');
  await expireAfter(0.99);
  expect(await countIn(inputsBucket)).toBe(2);
  await expireAfter(6.99);
  expect(await countIn(inputsBucket)).toBe(1);
  await expireAfter(7.01);
  expect(await countIn(inputsBucket)).toBe(0);
  await expireAfter(89.9);
  expect(await countIn(resultsBucket)).toBe(1000);
  await expireAfter(90.1);
  // A file that is in use is kept permanently.
  expect(await countIn(resultsBucket)).toBe(1);
});
