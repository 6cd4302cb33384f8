/** Media files of clients are measured in a separate thread, whose end fails only the file that it was measuring. */
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { asCaller } from '../../../infra/local/current-caller.ts';
import { largeReadsInTurn, mediaThread } from '../../../infra/local/media-thread.ts';
import { measureFile } from '../../../shared/media-files/read-media.ts';
import type { ReadableFile } from '../../../shared/media-files/readable-file.ts';
import { tinyWav } from '../../support/tiny-sound.ts';
import { tinyMp4 } from '../../support/tiny-video.ts';

const inParts = (bytes: Buffer): ReadableFile => ({
  access: 'ranges',
  size: bytes.length,
  read: async (start, end) => bytes.subarray(start, end),
});

const asStream = (bytes: Buffer): ReadableFile => ({
  access: 'stream',
  body: ReadableStream.from([bytes.subarray(0, 700), bytes.subarray(700)]),
  close: () => undefined,
});

function thread(start?: () => Worker, stepMs?: number) {
  const found = mediaThread(start, stepMs);
  onTestFinished(() => found.close());
  return found.startMeasuring;
}

test.for([
  ['in parts', inParts],
  ['as streams', asStream],
] as const)(
  'the media thread measures concurrent files that are read %s with the same results as the calling thread',
  async ([, open]) => {
    const start = thread();
    const files = [tinyWav(2), await tinyMp4(5, { soundSeconds: 4 }), Buffer.from('<!doctype html>'.repeat(99))];
    const found = await Promise.all(files.map((bytes) => measureFile(open(bytes), { start })));
    expect(found).toEqual(await Promise.all(files.map((bytes) => measureFile(open(bytes)))));
    expect(found).toMatchObject([{ durationSec: 2 }, { durationSec: 5, hasAudio: true }, { fault: 'unreadable' }]);
  },
);

test('when the media thread exits, its file counts as unusable, and the next file is measured by a new thread', async () => {
  let threads = 0;
  const start = thread(() => {
    threads += 1;
    const program = threads === 1 ? 'setInterval(() => 0, 9); setTimeout(() => process.exit(1), 100)' : undefined;
    if (program !== undefined) return new Worker(program, { eval: true });
    return new Worker(new URL('../../../infra/local/media-worker.ts', import.meta.url), { execArgv: [] });
  });
  expect(await measureFile(inParts(tinyWav(2)), { start })).toMatchObject({ fault: 'excessive' });
  expect(await measureFile(inParts(tinyWav(2)), { start })).toMatchObject({ durationSec: 2 });
  expect(threads).toBe(2);
});

test('the media thread refuses a file that blocks it for too long, and a new thread measures the next file', async () => {
  let threads = 0;
  const start = thread(() => {
    threads += 1;
    if (threads === 1) return new Worker('setInterval(() => 0, 9)', { eval: true });
    return new Worker(new URL('../../../infra/local/media-worker.ts', import.meta.url), { execArgv: [] });
  }, 1000);
  const found = await Promise.all([tinyWav(2), tinyWav(3)].map((bytes) => measureFile(inParts(bytes), { start })));
  expect(found).toMatchObject([
    { fault: 'slow', reason: 'could not be measured in time: try again' },
    { durationSec: 3 },
  ]);
  expect(threads).toBe(2);
});

test('a caller with one file waits on the media thread for none but the current step of a caller with many', async () => {
  const start = thread();
  const ended: string[] = [];
  const measure = (caller: string) =>
    asCaller(caller, async () => {
      await measureFile(inParts(tinyWav(2)), { start });
      ended.push(caller);
    });
  await Promise.all([...Array.from({ length: 20 }, () => measure('many')), measure('one')]);
  expect(ended.indexOf('one')).toBeLessThan(3);
});

test.for([
  ['one caller', 9, 1],
  ['many callers', 1, 9],
] as const)(
  'hosts of %s that never send large parts of files keep no other caller from reading one',
  async ([, files, callers]) => {
    const largeReads = largeReadsInTurn(10);
    const held = Promise.withResolvers<void>();
    const slow = Array.from({ length: files * callers }, (_, index) =>
      asCaller(`slow ${index % callers}`, () => largeReads(() => held.promise)),
    );
    expect(await asCaller('other', () => largeReads(async () => 'read'))).toBe('read');
    await expect(asCaller('other', () => largeReads(() => Promise.reject(new Error('broken'))))).rejects.toThrow(
      'broken',
    );
    held.resolve();
    await Promise.all(slow);
  },
);
