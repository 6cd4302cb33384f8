/** Measuring the copy of a video, however broken its index is, and how little of the file is read. */
import * as fc from 'fast-check';
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny';
import { beforeAll, describe, expect, test } from 'vitest';
import { measureSource } from '../../../shared/domain/clips/measure-source.ts';
import type { StoredFile } from '../../../shared/platform/work-storage.ts';

type Layout = 'in-memory' | 'fragmented';

interface Film {
  /** The time at which each frame begins; the last number is the end. */
  readonly times: readonly number[];
  readonly layout?: Layout;
  readonly frameBytes?: number;
  readonly timescale?: number;
}

async function film({ times, layout = 'in-memory', frameBytes = 16, timescale = 30_000 }: Film): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: layout }), target });
  const track = new EncodedVideoPacketSource('vp9');
  output.addVideoTrack(track, { frameRate: timescale });
  await output.start();
  const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: 64, codedHeight: 48 };
  for (const [index, time] of times.slice(0, -1).entries()) {
    const type = index % 30 === 0 ? 'key' : 'delta';
    const packet = new EncodedPacket(new Uint8Array(frameBytes), type, time, (times[index + 1] ?? time) - time);
    await track.add(packet, { decoderConfig });
  }
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer(0));
}

const steady = (frames: number, numerator: number, denominator = 1): readonly number[] =>
  Array.from({ length: frames + 1 }, (_, index) => (index * denominator) / numerator);

let read = 0;
const stored = (bytes: Buffer): StoredFile => ({
  access: 'ranges',
  size: bytes.length,
  async read(start, end) {
    read += end - start;
    return bytes.subarray(start, end);
  },
});

const limits = { types: ['video/mp4'], maxBytes: 2 ** 30, maxSeconds: 600 } as const;
const order = { aspectRatio: '16:9', seconds: 60, clipCount: 3 } as const;
const measured = (bytes: Buffer) => measureSource(stored(bytes), limits, order);

const unreadable = { problem: 'invalid', reason: 'is not a readable MP4 file' };
const contradictory = { problem: 'contradictory', reason: 'has an index whose tables contradict each other' };

describe.for<[string, Layout]>([
  ['a video with one index', 'in-memory'],
  ['a fragmented video', 'fragmented'],
])('measuring %s,', ([, layout]) => {
  test.each([
    [24_000, 1001],
    [25, 1],
    [30_000, 1001],
    [30, 1],
    [60_000, 1001],
  ])('reads a constant frame rate of %i/%i frames per second exactly', async (numerator, denominator) => {
    const bytes = await film({ times: steady(400, numerator, denominator), layout, timescale: numerator });
    const rate = numerator / denominator;
    expect(await measured(bytes)).toMatchObject({ framesPerSecond: expect.closeTo(rate, 6), hasSound: false });
  });

  test('averages a variable frame rate if it matches none of the standard rates', async () => {
    const times = Array.from({ length: 200 }, (_, index) => (index + (index % 3) * 0.3) / 27.3);
    const found = await measured(await film({ times, layout }));
    expect(found).toMatchObject({ framesPerSecond: expect.closeTo(27.3, 0) });
  });
});

test('the frame rate of a video that slows down late is the average over all of its frames', async () => {
  const times = [...steady(600, 30), ...Array.from({ length: 20 }, (_, index) => 20 + (index + 1) / 2)];
  const found = await measured(await film({ times }));
  expect(found).toMatchObject({ framesPerSecond: expect.closeTo(620 / 30, 2) });
});

test('a large fragmented video is measured from a small part of it', async () => {
  const bytes = await film({ times: steady(400, 10), layout: 'fragmented', frameBytes: 50_000 });
  read = 0;
  expect(await measured(bytes)).toMatchObject({ durationSec: 40, framesPerSecond: expect.closeTo(10, 6) });
  expect(read).toBeLessThan(bytes.length / 4);
});

describe('a video whose index is broken', () => {
  let bytes: Buffer;
  beforeAll(async () => {
    bytes = await film({ times: steady(50, 10) });
  });

  /** The position of a number in a table, relative to the end of its box's name. */
  const changed = (name: string, at: number, value: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy.writeUInt32BE(value, copy.indexOf(name) + 4 + at);
    return copy;
  };

  test.each<[string, string, number, number, object]>([
    ['its first chunk is not described', 'stsc', 8, 0x4001, contradictory],
    ['its chunks hold fewer samples than the video has', 'stsc', 12, 1, contradictory],
    ['its chunks hold more samples than the video has', 'stsc', 12, 0xffff_ffff, contradictory],
    ['it declares more runs of chunks than it contains', 'stsc', 4, 0xffff, unreadable],
    ['it has times for more samples than the video has', 'stts', 8, 51, contradictory],
    ['it has times for fewer samples than the video has', 'stts', 8, 49, contradictory],
    ['it has sizes for fewer samples than the video has', 'stsz', 8, 49, contradictory],
  ])('is unusable if %s', async (_, name, at, value, problem) => {
    expect(await measured(changed(name, at, value))).toEqual(problem);
  });

  test('is either measured or reported as a problem of the file, whichever byte of the index is changed', async () => {
    const movie = bytes.indexOf('moov');
    const places = fc.integer({ min: movie, max: bytes.indexOf('mdat', movie) - 1 });
    await fc.assert(
      fc.asyncProperty(places, fc.nat(255), async (at, value) => {
        const copy = Buffer.from(bytes);
        copy[at] = value;
        const found = await measured(copy);
        expect('problem' in found || found.framesPerSecond > 0).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

test.each([59, 601])(
  'a video of %i seconds instead of the paid 10 counts as too long, even if it exceeds the limit for any video',
  async (seconds) => {
    const bytes = await film({ times: steady(seconds * 10, 10) });
    const found = await measureSource(stored(bytes), limits, { ...order, seconds: 10 });
    expect(found).toMatchObject({
      problem: 'outOfLimits',
      reason: `is ${seconds} seconds long, and was 10 when the task was created`,
      isTooLong: true,
    });
  },
);

test('a storage failure while measuring is not blamed on the file', async () => {
  const bytes = await film({ times: steady(60, 10), layout: 'fragmented', frameBytes: 50_000 });
  for (const good of [0, 1, 2]) {
    let reads = 0;
    const file: StoredFile = {
      ...stored(bytes),
      async read(start, end) {
        reads += 1;
        if (reads > good) throw new Error('the storage is down');
        return bytes.subarray(start, end);
      },
    };
    await expect(measureSource(file, limits, order)).rejects.toThrow('the storage is down');
  }
});
