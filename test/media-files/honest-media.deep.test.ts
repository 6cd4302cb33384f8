/** Typical files from editors, cameras, recorders and pipes: each has the duration that other tools show. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ffmpeg } from '../../offline-engine/ffmpeg.ts';
import { measureFile } from '../../shared/media-files/read-media.ts';
import { measurementOf, startUntimed } from '../support/media/measured.ts';

const folder = mkdtempSync(join(tmpdir(), 'honest-media-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
const make = (...words: readonly string[]) => ffmpeg({ arguments: words.flatMap((word) => word.split(' ')) });

const picture = '-f lavfi -i testsrc=size=64x48:rate=10';
const tone = '-f lavfi -i sine=frequency=440';
const h264 = '-c:v libx264 -pix_fmt yuv420p -preset veryfast';

const subtitles = '1\n00:00:00,000 --> 00:00:02,000\nOne\n\n2\n00:00:03,000 --> 00:00:05,000\nTwo\n';
const chapters = [0, 3000].map((start) => `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${start + 3000}\ntitle=A\n`);

beforeAll(async () => {
  writeFileSync(at('subtitles.srt'), subtitles);
  writeFileSync(at('chapters.txt'), `;FFMETADATA1\ntitle=Um\n${chapters.join('')}`);
  // A video with 10 seconds between key frames.
  await make(picture, tone, `-t 30 ${h264} -bf 2 -g 100 -c:a aac -y`, at('long.mp4'));
}, 60_000);

const cut = (from: number, seconds: number, ...more: readonly string[]) => [
  '-ss',
  String(from),
  '-i',
  at('long.mp4'),
  '-t',
  String(seconds),
  '-c',
  'copy',
  ...more,
  '-y',
];

interface Honest {
  readonly title: string;
  readonly name: string;
  readonly recipe: readonly string[];
  readonly seconds: number;
}

/** The frequencies whose periods have 96 or 192 bytes, like the packets of a transport stream. */
const steadyTones = [250, 500, 1000].map((frequency) => ({
  title: `a steady tone of ${frequency} Hz`,
  name: `tone-${frequency}.wav`,
  recipe: [`-f lavfi -i sine=${frequency}:r=48000`, '-af volume=5 -ac 1 -t 3 -y'],
  seconds: 3,
}));

const av1 = '-pix_fmt yuv420p -c:v libaom-av1 -strict experimental -cpu-used 8';
const vp9 = '-pix_fmt yuv420p -c:v libvpx-vp9 -auto-alt-ref 1 -lag-in-frames 16';

const files: readonly Honest[] = [
  ...['mp4', 'webm'].flatMap((extension) => [
    { title: `AV1 in ${extension}`, name: `av1.${extension}`, recipe: [picture, `-t 6 ${av1} -y`], seconds: 6 },
    { title: `VP9 in ${extension}`, name: `vp9.${extension}`, recipe: [picture, `-t 6 ${vp9} -y`], seconds: 6 },
  ]),
  ...steadyTones,
  { title: 'only its first eight seconds', name: 'first.mp4', recipe: cut(0, 8), seconds: 8 },
  {
    title: 'fragments copied without re-encoding',
    name: 'copied.mp4',
    recipe: cut(0, 8, '-movflags frag_keyframe+empty_moov'),
    seconds: 8.4,
  },
  {
    title: 'frames at changing intervals',
    name: 'varying.mp4',
    recipe: [picture, `-t 12 -vf select='lt(mod(n,30),10)+eq(n,119)' -vsync vfr ${h264} -bf 0 -y`],
    seconds: 12,
  },
  {
    title: 'PCM sound and a timecode track',
    name: 'camera.mov',
    recipe: [picture, tone, `-t 5 ${h264} -c:a pcm_s16le -timecode 01:00:00:00 -y`],
    seconds: 5,
  },
  {
    title: 'a variable rate and tags',
    name: 'variable.mp3',
    recipe: [tone, '-t 7 -c:a libmp3lame -q:a 2 -metadata title=Um -id3v2_version 3 -write_id3v1 1 -y'],
    seconds: 7,
  },
  {
    title: 'text notes before its samples',
    name: 'notes.wav',
    recipe: [tone, '-t 4 -metadata title=Um -y'],
    seconds: 4,
  },
  {
    title: 'so many bytes that only its beginning and its end are read',
    name: 'large.mkv',
    recipe: ['-f lavfi -i testsrc=size=640x360:rate=25', tone, '-t 60 -c:v mjpeg -q:v 1 -c:a aac -y'],
    seconds: 60,
  },
  {
    title: 'subtitles, chapters, tags and an attachment',
    name: 'subtitled.mkv',
    recipe: [
      picture,
      tone,
      `-i ${at('subtitles.srt')} -i ${at('chapters.txt')} -map 0 -map 1 -map 2 -map_metadata 3 -t 6 ${h264}`,
      `-c:a aac -c:s srt -attach ${at('subtitles.srt')} -metadata:s:t mimetype=text/plain -y`,
    ],
    seconds: 6,
  },
  {
    title: 'transparency in additional data of its blocks',
    name: 'transparent.webm',
    recipe: [`${picture},format=yuva420p`, '-t 6 -c:v libvpx -auto-alt-ref 0 -pix_fmt yuva420p -y'],
    seconds: 6,
  },
  ...[2, 4].flatMap((quality) =>
    ['sine=frequency=440', 'anullsrc=r=44100', 'anoisesrc=seed=7'].map((source) => ({
      title: `MP3 frames that decoders recognize late: ${source} of quality ${quality}`,
      name: `${quality}-${source.slice(0, 5)}.mp3`,
      recipe: [`-f lavfi -i ${source} -t 5 -ac 2 -c:a libmp3lame -q:a ${quality} -y`],
      seconds: 5,
    })),
  ),
  {
    title: 'clusters of unknown size without cues',
    name: 'live.webm',
    recipe: [picture, tone, '-t 6 -c:v libvpx -c:a libopus -f webm -live 1 -y'],
    seconds: 6,
  },
];

const found = (bytes: Buffer) => measurementOf(bytes).found;

describe('a genuine media file', () => {
  test.for(files.map((file) => [file.title, file] as const))(
    'with %s has its duration measured correctly',
    async ([, { name, recipe, seconds }]) => {
      await make(...recipe, at(name));
      const measured = found(readFileSync(at(name)));
      expect(measured).toMatchObject({ durationSec: expect.any(Number) as number });
      const { durationSec } = measured as { durationSec: number };
      expect(Math.abs(durationSec - seconds), `${durationSec} s`).toBeLessThan(0.2);
    },
  );

  test.each([
    { title: 'in the first clusters', from: 2 ** 21, isThorough: false },
    { title: 'in any cluster if checked thoroughly', from: 15 * 2 ** 20, isThorough: true },
  ])(
    'that is too large to be read completely is refused if its middle ends later than its end: $title',
    async ({ from, isThorough }) => {
      const bytes = readFileSync(at('large.mkv'));
      const cluster = bytes.indexOf('1f43b675', from, 'hex');
      // The time is in two bytes after the cluster's checksum.
      bytes.writeUInt16BE(65_000, bytes.indexOf('e782', cluster, 'hex') + 2);
      const read = async (start: number, end: number) => bytes.subarray(start, end);
      const measured = await measureFile(
        { access: 'ranges', size: bytes.length, read },
        { isThorough, start: startUntimed },
      );
      expect(measured).toMatchObject({ reason: 'has media that its index leaves out' });
    },
  );

  test('that is too large to be read completely is measured correctly, even with an attachment before its media', async () => {
    writeFileSync(at('font.bin'), Buffer.alloc(3 * 2 ** 20, 'font'));
    const attached = `-attach ${at('font.bin')} -metadata:s:t mimetype=application/octet-stream -y`;
    await make(`-i ${at('large.mkv')} -c copy ${attached}`, at('attached.mkv'));
    const bytes = readFileSync(at('attached.mkv'));
    expect(bytes.indexOf('1f43b675', 0, 'hex')).toBeGreaterThan(3 * 2 ** 20);
    let read = 0;
    const readPart = async (start: number, end: number) => {
      read += Math.min(end, bytes.length) - start;
      return bytes.subarray(start, end);
    };
    const measured = await measureFile(
      { access: 'ranges', size: bytes.length, read: readPart },
      { start: startUntimed },
    );
    expect(measured).toMatchObject({ durationSec: expect.closeTo(60, 0) });
    expect(read).toBeLessThan(bytes.length / 2);
  });

  test('that is too large to be read completely is refused if it allows blocks to start an hour after their clusters', () => {
    const bytes = readFileSync(at('large.mkv'));
    bytes.writeUIntBE(0xff_ffff, bytes.indexOf('2ad7b1', 0, 'hex') + 4, 3);
    expect(found(bytes)).toMatchObject({ reason: expect.stringMatching(/^is too complex to be measured: /) });
  });

  test('with a Matroska cluster for each frame is read completely, a megabyte at a time', async () => {
    await make(`-i ${at('large.mkv')} -c copy -cluster_size_limit 1 -y`, at('many.mkv'));
    const bytes = readFileSync(at('many.mkv'));
    expect(bytes.toString('latin1').split('\x1f\x43\xb6\x75').length).toBeGreaterThan(1000);
    let reads = 0;
    const read = async (start: number, end: number) => {
      reads += 1;
      return bytes.subarray(start, end);
    };
    const measured = await measureFile(
      { access: 'ranges', size: bytes.length, read },
      { isThorough: true, start: startUntimed },
    );
    expect(measured).toMatchObject({ durationSec: expect.closeTo(60, 0) });
    expect(reads).toBeLessThan(60);
  });

  test('with a size that its writer never filled in has its duration measured correctly', async () => {
    const piped = await make(tone, '-t 4 -f wav pipe:1');
    expect(piped.readUInt32LE(4)).toBe(0xffff_ffff);
    expect(found(piped)).toMatchObject({ durationSec: expect.closeTo(4, 1) });
  });
});

test('a long recording’s sound is checked with about 32 small reads, eight at a time, and with none in later measurements', async () => {
  await make('-f lavfi -i anoisesrc=a=0.1 -t 60 -ac 6 -b:a 384k -y', at('long.m4a'));
  const bytes = readFileSync(at('long.m4a'));
  let [running, maxRunning] = [0, 0];
  const sizes: number[] = [];
  const read = async (start: number, end: number) => {
    sizes.push(end - start);
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    await Promise.resolve();
    running -= 1;
    return bytes.subarray(start, end);
  };
  const durationSec = expect.closeTo(60, 0);
  const file = { access: 'ranges', size: bytes.length, read } as const;
  expect(await measureFile(file, { isReadAgain: true, start: startUntimed })).toMatchObject({ durationSec });
  expect(sizes.splice(0).length).toBeLessThanOrEqual(6);
  expect(await measureFile(file, { start: startUntimed })).toMatchObject({ durationSec });
  expect(maxRunning).toBe(8);
  // Samples are chosen at random, so that their number varies by about three. The index of the file takes a few reads, too.
  expect(sizes.length).toBeGreaterThan(32 / 2);
  expect(sizes.length).toBeLessThan(32 * 2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(bytes.length / 4);
});

/** Not all decoders skip what an edit list hides, and engines process what they decode. */
describe('the measured duration of a media file that was cut without being encoded again', () => {
  test.for<[title: string, name: string, recipe: readonly string[], seconds: number, shownSec?: number]>([
    ['a video whose edit list states the shown duration', 'video.mp4', cut(17, 5), 12.2, 5],
    ['a video in fragments', 'fragments.mp4', cut(17, 5, '-movflags frag_keyframe+empty_moov'), 12.3],
    ['sound alone', 'sound.m4a', cut(3.3, 9, '-vn'), 12.3],
  ])('begins at the key frame before the cut, for %s', async ([, name, recipe, seconds, shownSec]) => {
    await make(...recipe, at(name));
    const shown = shownSec === undefined ? {} : { shownSec: expect.closeTo(shownSec, 0) as number };
    expect(found(readFileSync(at(name)))).toMatchObject({ durationSec: expect.closeTo(seconds, 0), ...shown });
  });
});

test.for(['mp4', 'mov', 'mkv', 'webm'].flatMap((type) => [[type, '2'] as const, [type, '1/2'] as const]))(
  'a video in %s with pixels that are %s times as wide as high has a size no smaller than its coded picture',
  async ([type, shape]) => {
    const name = `shape.${type}`;
    await make(picture, `-t 1 -vf setsar=${shape} -pix_fmt yuv420p -y`, at(name));
    const size = shape === '2' ? { width: 128, height: 48 } : { width: 64, height: 96 };
    expect(found(readFileSync(at(name)))).toMatchObject(size);
  },
);
