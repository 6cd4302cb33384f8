/** Parts of objects on the local service: right, and read from the database once for many parts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { localAccess } from '../../../infra/local/local-access.ts';
import { type Injectable, objectParts } from '../../../infra/local/object-parts.ts';
import { startQueuesAndStorage } from '../../../infra/local/queues-and-storage.ts';

const bytesOf = (first: number, size = 2 ** 21): Buffer => Buffer.alloc(size, Buffer.from([first, 1, 2, 3, 4]));

test('a part of a large object is that of its present content, within its size, with the type and tag of the object', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parts-'));
  const services = await startQueuesAndStorage({ dataDir });
  const s3 = new S3Client({ ...localAccess(services.url), forcePathStyle: true });
  onTestFinished(async () => {
    s3.destroy();
    await services.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const at = { Bucket: services.inputsBucket, Key: 'inputs/a.mp4' };
  const read = async (range: string, more: { readonly IfMatch?: string } = {}) => {
    const found = await s3.send(new GetObjectCommand({ ...at, ...more, Range: `bytes=${range}` }));
    const { ContentType, ETag, ContentRange } = found;
    return { body: Buffer.from((await found.Body?.transformToByteArray()) ?? []), ContentType, ETag, ContentRange };
  };
  for (const content of [bytesOf(7), bytesOf(9)]) {
    const { ETag = '' } = await s3.send(new PutObjectCommand({ ...at, Body: content, ContentType: 'video/mp4' }));
    const last = content.length - 1;
    for (const [from, to, end] of [
      [0, '0', 0],
      [1000, '70000', 70_000],
      [last - 4, '', last],
      [5, String(last + 10), last],
    ] as const) {
      const { body, ...described } = await read(`${from}-${to}`);
      expect(body.equals(content.subarray(from, end + 1))).toBe(true);
      const ContentRange = `bytes ${from}-${end}/${content.length}`;
      expect(described).toEqual({ ContentType: 'video/mp4', ETag, ContentRange });
    }
    expect((await read('-5')).body).toEqual(content.subarray(-5));
    await expect(read(`${content.length}-`)).rejects.toMatchObject({ name: 'InvalidRange' });
    await expect(read('0-1', { IfMatch: '"other"' })).rejects.toMatchObject({ name: 'PreconditionFailed' });
  }
});

test('an object is read once for many of its parts, and again after it was replaced', async () => {
  let content = bytesOf(1);
  let reads = 0;
  const server: Injectable = {
    async inject({ method }) {
      if (method === 'GET') reads += 1;
      const headers = { etag: String(content[0]), 'content-length': String(content.length) };
      return { statusCode: 200, headers, rawPayload: content };
    },
  };
  const partOf = objectParts(server);
  const readAll = async () => {
    const parts = await Promise.all(
      [0, 1, 2, 3].map((at) => partOf('/inputs/a?X-Amz-Signature=1&x-id=GetObject', { range: `bytes=${at}-9` })),
    );
    expect(parts.map((part) => part?.body)).toEqual([0, 1, 2, 3].map((at) => content.subarray(at, 10)));
  };
  await readAll();
  expect(reads).toBe(1);
  content = bytesOf(2);
  await readAll();
  expect(reads).toBe(2);
});

describe('what the cache of object parts does not keep:', () => {
  const size = 2 ** 29;
  /** A server of objects that claim to be large; the first reads fail as they are told. */
  function serving(failures: readonly (number | Error)[] = []) {
    const reads: string[] = [];
    const server: Injectable = {
      async inject({ method, url }) {
        const headers = { etag: '"1"', 'content-length': String(size) };
        const failure = method === 'GET' ? failures[reads.push(url) - 1] : undefined;
        if (failure instanceof Error) throw failure;
        const rawPayload = Object.defineProperty(Buffer.alloc(100), 'length', { value: failure ? 100 : size });
        return { statusCode: failure ?? 200, headers, rawPayload };
      },
    };
    const partOf = objectParts(server);
    const read = (url: string, more = {}) => partOf(url, { range: 'bytes=0-9', ...more });
    return { read, reads };
  }

  test('an error is not cached: the caller requests the object itself, and the next part is read from the server again', async () => {
    const { read, reads } = serving([503, new Error('closed')]);
    expect(await read('/inputs/a')).toBeUndefined();
    await expect(read('/inputs/a')).rejects.toThrow('closed');
    expect((await read('/inputs/a'))?.body).toHaveLength(10);
    expect(reads).toHaveLength(3);
  });

  test('when the cached objects exceed 1 GiB, only the oldest one must be read again', async () => {
    const { read, reads } = serving();
    for (const name of ['a', 'b', 'c', 'c', 'b', 'a']) await read(`/inputs/${name}`);
    expect(reads.join('')).toBe('/inputs/a/inputs/b/inputs/c/inputs/a');
  });

  test('a request whose response depends on more than the range is passed to the server', async () => {
    const { read, reads } = serving();
    expect(await read('/inputs/a', { 'if-range': '"2"' })).toBeUndefined();
    expect(await read('/inputs/a?response-content-type=text%2Fplain')).toBeUndefined();
    expect(reads).toEqual([]);
  });
});
