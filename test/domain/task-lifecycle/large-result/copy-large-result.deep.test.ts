/**
 * Measures the memory that copying a large result uses in a separate process; `LARGE_RESULT_MB=2048` is the maximum
 * size.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../../fakes/listen.ts';
import { countingStorage } from '../../../support/counting-storage.ts';
import { paddedMp4, tinyMp4, withoutLastSize } from '../../../support/tiny-video.ts';

const megabyte = 2 ** 20;
const length = Number(process.env.LARGE_RESULT_MB ?? 1024) * megabyte;

async function serve(respond: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
  const server = createServer(respond);
  const port = await listen(server, 0);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

/** An MP4 of a given size whose index is near its end, before a last box that has no size. */
async function sendVideo(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  const video = withoutLastSize(await tinyMp4(5));
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': length });
  await pipeline(Readable.from(paddedMp4(video, length - video.length)), response);
}

test('a large result video is copied in parts and signed by a process that uses less than 300 MB of memory', async () => {
  const [source, storage] = await Promise.all([serve(sendVideo), countingStorage()]);
  onTestFinished(() => storage.close());
  const program = fileURLToPath(new URL('copy-large-result.ts', import.meta.url));
  const keysDir = await mkdtemp(join(tmpdir(), 'content-key-'));
  onTestFinished(() => rm(keysDir, { recursive: true }));
  const { stdout } = await promisify(execFile)(process.execPath, [program, `${source}/a`, keysDir], {
    env: {
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL_S3: storage.url,
    },
  });
  const { megabytes, bytes, ...stored } = JSON.parse(stdout) as { megabytes: number; bytes: number };
  process.stdout.write(`${length / megabyte} MB copied in ${storage.counted.parts} parts with ${megabytes} MB\n`);
  expect(stored).toEqual({
    key: 'results/task-1-secret/1-attempt.mp4',
    contentType: 'video/mp4',
    width: 64,
    height: 48,
    durationSec: 5,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    provenance: expect.objectContaining({ standard: 'c2pa' }),
  });
  expect(bytes - length).toBeGreaterThan(1000);
  expect(bytes - length).toBeLessThan(16 * 1024);
  expect(storage.counted).toMatchObject({ bytes, completed: 1 });
  expect(megabytes).toBeLessThan(300);
}, 600_000);
