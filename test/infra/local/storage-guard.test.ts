/** Requests to the local storage that no client of the service makes: each is refused at once. */
import { CompleteMultipartUploadCommand, CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, expect, test } from 'vitest';
import { localAccess } from '../../../infra/local/local-access.ts';
import { startQueuesAndStorage } from '../../../infra/local/queues-and-storage.ts';

const storage = await startQueuesAndStorage({});
const s3 = new S3Client({ ...localAccess(storage.url), forcePathStyle: true });
afterAll(async () => {
  s3.destroy();
  await storage.close();
});

const object = { Bucket: storage.inputsBucket, Key: 'inputs/a' };
const url = `${storage.url}/${object.Bucket}/${object.Key}`;
const chunked = { 'content-encoding': 'aws-chunked' };

test.each([
  ['a chunk of negative size', '-6\r\n'],
  ['a chunk without a size', 'x\r\n'],
  ['a chunk without an end', '6'],
  ['no last chunk', '1\r\na\r\n'],
])('an object in AWS chunks with %s is refused', async (_, body) => {
  expect((await fetch(url, { method: 'PUT', headers: chunked, body })).status).toBe(400);
});

test('an object in AWS chunks is stored without their sizes', async () => {
  const body = '3;chunk-signature=0\r\nabc\r\n2\r\nde\r\n0\r\n\r\n';
  expect((await fetch(url, { method: 'PUT', headers: chunked, body })).status).toBe(200);
  expect(await (await fetch(url)).text()).toBe('abcde');
});

test.each([
  ['a list of parts of a megabyte', `${url}?uploadId=1`, '<Part>'.repeat(170_000)],
  ['a list of keys that no tag closes', `${storage.url}/${object.Bucket}?delete`, '<Key>'.repeat(100_000)],
  ['a form with many names', storage.url, 'a&'.repeat(100_000)],
])('%s is refused', async (_, to, body) => {
  const headers = { 'content-type': to === storage.url ? 'application/x-www-form-urlencoded' : 'application/xml' };
  expect((await fetch(to, { method: 'POST', headers, body })).status).toBe(400);
});

test('a list of parts as a client sends it is read', async () => {
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(object));
  const parts = Array.from({ length: 32 }, (_, index) => ({ PartNumber: index + 1, ETag: `"${'0'.repeat(32)}"` }));
  const completed = s3.send(
    new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts: parts } }),
  );
  await expect(completed).rejects.toMatchObject({ name: 'InvalidPart' });
});

test('an object in chunks of a byte is stored completely', async () => {
  const body = new ReadableStream({
    pull(controller) {
      sent += 1;
      if (sent > 300) controller.close();
      else controller.enqueue(Buffer.from([sent % 256]));
    },
  });
  let sent = 0;
  const request = { method: 'PUT', body, duplex: 'half' } as const;
  expect((await fetch(url, request)).status).toBe(200);
  const stored = Buffer.from(await (await fetch(url)).arrayBuffer());
  expect(stored).toEqual(Buffer.from(Array.from({ length: 300 }, (_, index) => (index + 1) % 256)));
});
