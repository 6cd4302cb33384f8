/**
 * Measures the memory that a copy of a long video uses in a separate process; `LARGE_SOURCE_MB=4096` copies four
 * gigabytes.
 */
import { execFile } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { partBytes } from '../../../../shared/domain/clips/copy-source.ts';
import { countingStorage } from '../../../support/counting-storage.ts';
import { localServer } from '../../../support/local-server.ts';

const megabyte = 2 ** 20;
const bytesOfVideo = Number(process.env.LARGE_SOURCE_MB ?? 100) * megabyte + 1;

const block = Buffer.alloc(megabyte, 7);

function* bytes(count: number) {
  for (let left = count; left > 0; left -= block.length) yield block.subarray(0, Math.min(left, block.length));
}

const send = (response: ServerResponse, count: number) => pipeline(Readable.from(bytes(count)), response);

async function sendRange({ headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, first = 0, last = bytesOfVideo - 1] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  const count = Number(last) - Number(first) + 1;
  const range = { etag: '"1"', 'content-range': `bytes ${first}-${last}/${bytesOfVideo}`, 'content-length': count };
  response.writeHead(206, range);
  await send(response, count);
}

async function sendWhole(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-length': bytesOfVideo });
  await send(response, bytesOfVideo);
}

test.for([
  { how: 'in ranges', serve: sendRange, hasRanges: true },
  { how: 'as one stream', serve: sendWhole, hasRanges: false },
])('a long video is copied $how by a process that uses less than 300 MB of memory', async ({ serve, hasRanges }) => {
  const [source, storage] = await Promise.all([localServer(serve), countingStorage()]);
  onTestFinished(async () => void (await Promise.all([source.close(), storage.close()])));
  const program = fileURLToPath(new URL('copy-large-source.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, `${source.url}/a`], {
    env: {
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL_S3: storage.url,
    },
  });
  const { megabytes, ...copied } = JSON.parse(stdout) as { megabytes: number };
  const length = Math.floor(bytesOfVideo / megabyte);
  process.stdout.write(`${length} MB copied in ${storage.counted.parts} parts with ${megabytes} MB\n`);
  expect(copied).toEqual({ hasRanges });
  const parts = Math.ceil(bytesOfVideo / partBytes);
  expect(storage.counted).toEqual({ bytes: bytesOfVideo, parts, completed: 1 });
  expect(megabytes).toBeLessThan(300);
});
