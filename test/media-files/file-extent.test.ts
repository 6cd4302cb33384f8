/** Truncated files: distinguished from complete ones by their structure, wherever they are cut and however they arrive. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ffmpeg } from '../../offline-engine/ffmpeg.ts';
import { fileExtent, isTruncated, isTruncatedFile } from '../../shared/media-files/file-extent.ts';
import { tinyWav } from '../support/tiny-sound.ts';

const video = ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=10'];
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440'];
const both = [...video, ...tone, '-t', '1', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast'];
const recipes = {
  'first.mp4': [...both, '-movflags', 'faststart'],
  'last.mp4': both,
  'fragments.mp4': [...both, '-movflags', 'frag_keyframe+empty_moov', '-g', '3'],
  'a.m4a': [...tone, '-t', '1', '-movflags', 'faststart'],
  'a.mp3': [...tone, '-t', '1'],
};
const noise = () =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: '#888', noise: { type: 'gaussian', sigma: 30 } } });

const files = new Map<string, Buffer>();
const fileOf = (name: string) => files.get(name) ?? expect.fail(`${name} was not made`);

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'file-extent-'));
  for (const [name, recipe] of Object.entries(recipes)) {
    await ffmpeg({ arguments: [...recipe, join(folder, name)] });
    files.set(name, await readFile(join(folder, name)));
  }
  await rm(folder, { recursive: true });
  files.set('a.wav', tinyWav(1));
  files.set('a.png', await noise().png().toBuffer());
  files.set('a.webp', await noise().webp().toBuffer());
  files.set('a.jpg', await noise().withMetadata({ density: 300 }).jpeg().toBuffer());
  files.set('progressive.jpg', await noise().jpeg({ progressive: true }).toBuffer());
});
afterAll(() => files.clear());

/** From `from` on, every cut of the file is detected; `tolerated` bytes at its end may be missing. */
const cases: readonly (readonly [name: string, from: number, tolerated: number])[] = [
  ['first.mp4', 64, 0],
  ['a.m4a', 64, 0],
  ['a.mp3', 1024, 2048],
  ['a.wav', 44, 0],
  ['a.png', 8, 8],
  ['a.webp', 12, 0],
  ['a.jpg', 8, 0],
  ['progressive.jpg', 8, 0],
];

/** As in a stream whose chunks have these sizes, again and again. */
function inChunks(bytes: Uint8Array, sizes: readonly number[]): boolean | undefined {
  const extent = fileExtent();
  for (let at = 0, index = 0; at < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    extent.add(bytes.subarray(at, at + size));
    at += size;
  }
  return extent.isTruncated(bytes.length);
}

const inParts = (bytes: Uint8Array) =>
  isTruncatedFile({ size: bytes.length, read: async (start, end) => bytes.subarray(start, end) });

describe.each(cases)('the extent of %s', (name, from, tolerated) => {
  test('is complete for the whole file, and with any bytes after it', async () => {
    const bytes = fileOf(name);
    const longer = Buffer.concat([bytes, Buffer.from('TAG and more than eight bytes')]);
    for (const file of [bytes, longer]) expect([isTruncated(file), await inParts(file)]).toEqual([false, false]);
  });

  test('is truncated wherever the file is cut, in chunks of any size and in parts', async () => {
    const bytes = fileOf(name);
    const cut = fc.integer({ min: from, max: bytes.length - tolerated - 1 });
    const chunks = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(cut, chunks, async (length, sizes) => {
        const file = bytes.subarray(0, length);
        expect([inChunks(file, sizes), inChunks(bytes, sizes)]).toEqual([true, false]);
        expect(await inParts(file)).toBe(true);
      }),
    );
  });
});

test('a video with its index at its end is complete with the index', () => {
  const bytes = fileOf('last.mp4');
  expect(isTruncated(bytes)).toBe(false);
  expect(isTruncated(bytes.subarray(0, -1))).toBe(true);
});

test('a fragmented video is truncated when one of its fragments is cut', async () => {
  const bytes = fileOf('fragments.mp4');
  const [last, before] = [bytes.lastIndexOf('mdat'), bytes.indexOf('mdat')];
  expect(isTruncated(bytes)).toBe(false);
  for (const cut of [bytes.lastIndexOf('moof') + 9, last + 4, before + 9]) {
    expect([isTruncated(bytes.subarray(0, cut)), await inParts(bytes.subarray(0, cut))]).toEqual([true, true]);
  }
});

test('the sample table shows whether a video is truncated if its last box has no size or all boxes after the index are missing', () => {
  const bytes = Buffer.from(fileOf('first.mp4'));
  const media = bytes.lastIndexOf('mdat') - 4;
  bytes.writeUInt32BE(0, media);
  expect(isTruncated(bytes)).toBe(false);
  expect(isTruncated(bytes.subarray(0, -1))).toBe(true);
  expect(isTruncated(bytes.subarray(0, media))).toBe(true);
});

test('a large video is recognized as truncated by its declared size, before its frames are read', () => {
  const bytes = fileOf('first.mp4');
  const extent = fileExtent();
  extent.add(bytes.subarray(0, bytes.indexOf('mdat') + 4));
  expect([extent.isTruncated(bytes.length), extent.isTruncated(bytes.length - 1)]).toEqual([undefined, true]);
});

test('a WAV whose sizes were never filled in is not reported as truncated', () => {
  for (const size of [0, 0x7fff_ffff, 0xffff_ffff]) {
    const bytes = tinyWav(1);
    bytes.writeUInt32LE(size, 40);
    expect(isTruncated(bytes.subarray(0, 100))).toBe(false);
  }
});

test('reading a media file never fails or hangs, whatever the bytes', async () => {
  const spoilt = fc
    .tuple(fc.constantFrom(...files.values()), fc.nat(2000), fc.uint8Array({ maxLength: 40 }))
    .map(([bytes, at, more]) => Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at + more.length)]));
  await fc.assert(
    fc.asyncProperty(spoilt, async (bytes) => {
      expect(inChunks(bytes, [700])).toBe(isTruncated(bytes));
      expect([isTruncated(bytes), undefined]).toContain(await inParts(bytes));
    }),
    { numRuns: 300 },
  );
});
