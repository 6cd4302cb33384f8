/**
 * Copying results into the storage: which are stored, which are rejected, and who is responsible for an interruption.
 */

import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { generationOf } from '../../../shared/contracts/generate.ts';
import { resultLimits } from '../../../shared/contracts/media.ts';
import { type TaskType, taskTypes } from '../../../shared/contracts/task-types.ts';
import { copyPoster } from '../../../shared/domain/task-lifecycle/copy-poster.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import type { EngineDownload } from '../../../shared/engines/engine.ts';
import { imageHeadBytes } from '../../../shared/media-files/image-head.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { sha256Of } from '../../support/sha256-of.ts';
import { tinyJpeg, tinyPng } from '../../support/tiny-image.ts';
import { tinyMp3 } from '../../support/tiny-sound.ts';
import { paddedMp4, tinyMp4 } from '../../support/tiny-video.ts';
import { copied, file, output, task, tooMuch } from './copied-results.ts';

const image = task('image', { numImages: 1 });
const mp3 = tinyMp3(3.06);
const engineFault = { name: 'EngineFault' };

describe('a result file', () => {
  test('is stored completely, with the media type of its content', async () => {
    const png = tinyPng(12, 9);
    const picture = await copied(image, file([png.subarray(0, 9), png.subarray(9)]).download);
    expect(picture.results).toEqual([
      {
        key: 'results/task-1-secret/1-attempt.png',
        contentType: 'image/png',
        width: 12,
        height: 9,
        bytes: png.length,
        sha256: sha256Of(png),
      },
    ]);
    expect(picture.stored).toEqual([['results/task-1-secret/1-attempt.png', 'image/png', png.length]]);
    const sound = await copied(task('voice'), file([mp3]).download);
    expect(sound.results).toEqual([
      {
        key: 'results/task-1-secret/1-attempt.mp3',
        contentType: 'audio/mpeg',
        durationSec: 3.1,
        bytes: mp3.length,
        sha256: sha256Of(mp3),
      },
    ]);
  });

  test('that is a large WebP has the size at which it is displayed, although its orientation is stored after the pixels', async () => {
    const noise = { create: { width: 720, height: 480, channels: 3, background: '#888' } } as const;
    const picture = sharp({ ...noise, create: { ...noise.create, noise: { type: 'gaussian', mean: 128, sigma: 60 } } });
    const webp = await picture.webp({ lossless: true, effort: 0 }).withMetadata({ orientation: 6 }).toBuffer();
    expect(webp.indexOf('EXIF')).toBeGreaterThan(imageHeadBytes);
    const { results } = await copied(image, file([webp.subarray(0, 99), webp.subarray(99)]).download);
    expect(results).toMatchObject([{ width: 480, height: 720, bytes: webp.length }]);
  });

  test.for<[string, Task['taskType'], Uint8Array]>([
    ['a GIF', 'image', Buffer.from('GIF89a\u0001\u0000\u0001\u0000')],
    ['an HTML page', 'image', Buffer.from('<!doctype html>')],
    ['an empty file instead of an image', 'image', new Uint8Array()],
    ['an image instead of audio', 'voice', tinyPng(3, 3)],
    ['audio instead of an image', 'image', mp3],
    ['a WAV instead of an MP3', 'voice', Buffer.from('RIFF\0\0\0\0WAVEfmt ')],
    ['an empty file instead of audio', 'voice', new Uint8Array()],
    ['a truncated PNG', 'image', tinyPng(300, 300).subarray(0, -12)],
    ['a truncated JPEG', 'image', tinyJpeg.subarray(0, -2)],
    ['an ID3 tag without audio', 'voice', tinyMp3(0)],
  ])('that is %s is rejected and not stored, and its download is ended', async ([, taskType, bytes]) => {
    const { state, download } = file([bytes]);
    const copy = await copied(task(taskType, { numImages: 1 }), download);
    expect(copy).toMatchObject({ unkept: 'unusable', results: undefined, stored: [] });
    expect(state.closed).toBe(1);
  });

  test('that is too large is rejected, before its download if its size is announced, otherwise once it exceeds the limit', async () => {
    const { maxBytes } = resultLimits.image;
    for (const bytes of [maxBytes + 1, undefined]) {
      const { state, download } = file(tooMuch(tinyPng(3, 3), maxBytes), bytes === undefined ? {} : { bytes });
      expect(await copied(image, download)).toMatchObject({ results: undefined, stored: [] });
      expect(state.closed).toBe(1);
      if (bytes !== undefined) expect(state.read).toBeLessThan(2 ** 20);
    }
  });
});

describe('a result video', () => {
  const promise = { width: 720, height: 1280, durationSec: 5 };
  const creative = { ...task('video-creative', { durationSec: 5 }), promise };
  const size = { width: 704, height: 1248 };
  const copiedVideo = (chunks: Iterable<Uint8Array>) => copied(creative, file(chunks).download);

  test.for(['first', 'last'] as const)('is stored with its measured size and duration (index %s)', async (index) => {
    const video = await tinyMp4(5.04, { ...size, index });
    const { results } = await copied(creative, file([video]).download, {}, [{ ...output, width: 1, height: 1 }]);
    expect(results).toEqual([
      {
        key: 'results/task-1-secret/1-attempt.mp4',
        contentType: 'video/mp4',
        ...size,
        durationSec: 5,
        bytes: video.length,
        sha256: sha256Of(video),
      },
    ]);
  });

  test('passes its checks even if its index comes after 40 MB of data', async () => {
    const video = await tinyMp4(5, size);
    const { results } = await copiedVideo(paddedMp4(video, 40 * 2 ** 20));
    expect(results).toMatchObject([{ ...size, bytes: video.length + 40 * 2 ** 20 }]);
  });

  test.for<[string, () => Promise<Buffer>]>([
    ['of another duration', () => tinyMp4(4.4, size)],
    ['of another shape', () => tinyMp4(5, { width: 1280, height: 720 })],
    ['that is truncated', async () => (await tinyMp4(5, size)).subarray(0, -1)],
    ['without an index', async () => (await tinyMp4(5, { ...size, index: 'last' })).subarray(0, 60)],
    ['that has only the head of an MP4', async () => Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp41')],
    ['that is an HTML page', async () => Buffer.from('<!doctype html>')],
  ])('%s is rejected, and no copy of it is stored', async ([, video]) => {
    const { state, download } = file([await video()]);
    expect(await copied(creative, download)).toMatchObject({ results: undefined, stored: [] });
    expect(state.closed).toBe(1);
  });

  test('whose download is interrupted counts as an engine fault, not as a wrong video', async () => {
    const video = await tinyMp4(5, { ...size, index: 'last' });
    const { download } = file([video.subarray(0, 60)], { end: new Error('broken') });
    await expect(copied(creative, download)).rejects.toMatchObject(engineFault);
  });

  describe('whose engine supplies a poster', () => {
    const withPoster = [{ ...output, url: 'video', posterUrl: 'poster' }];
    const copiedWith = async (poster: () => Promise<EngineDownload> | EngineDownload) => {
      const video = await tinyMp4(5, size);
      const downloads = [file([video]).download, poster];
      return copied(creative, () => downloads.shift()?.() as EngineDownload, {}, withPoster);
    };

    test('is stored with the poster', async () => {
      const { results, stored } = await copiedWith(file([tinyJpeg.subarray(0, 9), tinyJpeg.subarray(9)]).download);
      expect(results).toMatchObject([
        { key: 'results/task-1-secret/1-attempt.mp4', posterKey: 'results/task-1-secret/1-attempt.jpg' },
      ]);
      expect(stored[1]).toEqual(['results/task-1-secret/1-attempt.jpg', 'image/jpeg', tinyJpeg.length]);
    });

    test.for<[string, () => EngineDownload]>([
      ['is missing', () => expect.fail('there is none')],
      ['breaks off', file([tinyJpeg], { end: new Error('broken') }).download],
      ['is a PNG', file([tinyPng(3, 3)]).download],
      ['is empty', file([]).download],
      ['is truncated', file([tinyJpeg.subarray(0, -2)]).download],
      ['is endless', file(tooMuch(tinyJpeg, resultLimits.image.maxBytes)).download],
    ])('is stored without the poster if the poster %s', async ([, poster]) => {
      const { results, stored } = await copiedWith(poster);
      expect(results).toMatchObject([{ key: 'results/task-1-secret/1-attempt.mp4' }]);
      expect(results?.[0]).not.toHaveProperty('posterKey');
      expect(stored).toHaveLength(1);
    });
  });
});

// Operations priced by the second, with requests and the seconds that they pay for, typed from the price list.
const timed = new Map<TaskType, readonly [request: Task['input'], seconds: number]>([
  ['video-creative', [{ durationSec: 4 }, 4]],
  ['video-ugc', [{}, 8]],
  ['video-imitate', [{ durationSec: 3.2 }, 3.2]],
  ['video-studio', [{ durationSec: 15 }, 15]],
  // Clips are never longer than the video.
  ['cortes', [{ seconds: 60, clipCount: 1 }, 60]],
  ['voice-change', [{ durationSec: 12.4 }, 12.4]],
]);

describe('for results whose price depends on their duration,', () => {
  const result = async (taskType: TaskType, seconds: number) => {
    const bytes = generationOf(taskType).medium === 'audio' ? tinyMp3(seconds) : await tinyMp4(seconds);
    const [request = {}] = timed.get(taskType) ?? [];
    return copied({ ...task(taskType), derived: request }, file([bytes]).download);
  };

  test('these tests cover every such operation', () => {
    const declared = taskTypes.filter((type) => (generationOf(type).paidSeconds ?? null) !== null);
    expect(declared).toEqual([...timed.keys()]);
  });

  test.for([...timed])('a %s may be at most a second longer than what was paid for', async ([taskType, [, paid]]) => {
    const { results, recorded } = await result(taskType, paid + 0.9);
    expect(results).toMatchObject([{ durationSec: expect.closeTo(paid + 0.9, 0.1) as number }]);
    expect(recorded).toEqual([]);
  });

  test.for([...timed])('a %s over a second longer than paid is counted, not stored', async ([taskType, [, paid]]) => {
    const { operationId } = generationOf(taskType);
    const { unkept, stored, recorded } = await result(taskType, paid + 1.2);
    expect([unkept, stored]).toEqual(['too-long', []]);
    expect(recorded).toEqual([[{ ResultsTooLong: 1 }, { operation: operationId }]]);
  });

  test.for([
    ['is announced as too large', () => file([mp3], { bytes: resultLimits.audio.maxBytes + 1 }).download],
    ['has too many frames to be measured', () => file([tinyMp3(20_000)]).download],
  ] as const)('a changed voice that %s counts as longer than what was paid for', async ([, download]) => {
    const of = { ...task('voice-change'), derived: { durationSec: 3 } };
    expect(await copied(of, download())).toMatchObject({
      unkept: 'too-long',
      stored: [],
      recorded: [[{ ResultsTooLong: 1 }, { operation: 'changeVoice' }]],
    });
  });

  test('speech with too many frames to be measured counts as unusable, not as too long', async () => {
    expect(await copied(task('voice'), file([tinyMp3(20_000)]).download)).toMatchObject({ unkept: 'unusable' });
  });

  test('a video whose audio is longer than what was paid for is not stored', async () => {
    const video = await tinyMp4(3, { width: 720, height: 1280, soundSeconds: 5 });
    const promise = { width: 720, height: 1280, durationSec: 3, soundMayOutlast: true };
    const of = { ...task('video-imitate'), derived: { durationSec: 3 }, promise };
    expect((await copied(of, file([video]).download)).results).toBeUndefined();
  });

  test('a task without a stored record of the paid duration is not completed', async () => {
    await expect(copied(task('voice-change'), file([mp3]).download)).rejects.toThrow('durationSec');
  });
});

describe('an interrupted copy of a result', () => {
  test.for([
    ['before its head has arrived', [tinyPng(3, 3).subarray(0, 9)]],
    ['after its head', [tinyPng(3, 3), new Uint8Array(600_000)]],
  ] as const)('is an engine fault if the download breaks off %s', async ([, chunks]) => {
    const { state, download } = file(chunks, { end: new Error('broken') });
    await expect(copied(image, download)).rejects.toMatchObject(engineFault);
    expect(state.closed).toBe(1);
  });

  test('is not an engine fault if the storage fails, and the download is closed', async () => {
    const { state, download } = file([tinyPng(3, 3)]);
    const write = () => Promise.reject(new TypeError('the storage is down'));
    await expect(copied(image, download, { write })).rejects.toThrow('the storage is down');
    expect(state.closed).toBe(1);
  });
});

test('a poster states in XMP how its video was made, and its picture is unchanged', async () => {
  const jpeg = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#a05' } })
    .jpeg()
    .toBuffer();
  const stored: Uint8Array[] = [];
  await copyPoster(
    {
      async write(_key, { body }) {
        stored.push(...(await Array.fromAsync(body)));
        return 0;
      },
      addressOf: () => Promise.reject(new Error('nothing is shared here')),
    },
    { download: async () => file([jpeg]).download() },
    {
      task: image,
      output: { posterUrl: 'https://engine.example/poster' },
      position: 1,
      attempt: 'attempt',
      sourceType: 'trainedAlgorithmicMedia',
    },
  );
  const marked = Buffer.concat(stored);
  const { xmp, format } = await sharp(marked).metadata();
  expect(format).toBe('jpeg');
  expect(xmp?.toString()).toContain(
    'Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"',
  );
  expect(await sharp(marked).raw().toBuffer()).toEqual(await sharp(jpeg).raw().toBuffer());
});

test('a late attempt to store results replaces nothing that another attempt stored', async () => {
  const ids = randomIds(systemClock);
  const outputs = [{ ...output, posterUrl: 'https://engine.example/poster' }];
  const attempt = async () => (await copied(image, file([tinyPng(3, 3)]).download, {}, outputs, ids)).stored;
  const keys = [...(await attempt()), ...(await attempt())].map(([key]) => key);
  expect(keys.length).toBeGreaterThan(1);
  expect(new Set(keys).size).toBe(keys.length);
});

test('a task has as many results as were paid for: extra results are dropped, and too few fail the task', async () => {
  const { download } = file([tinyPng(3, 3)]);
  const again = () => ({ ...file([tinyPng(3, 3)]).download() });
  const three = await copied(task('image', { numImages: 2 }), again, {}, [output, output, output]);
  expect(three.results?.map(({ key }) => key)).toEqual([
    'results/task-1-secret/1-attempt.png',
    'results/task-1-secret/2-attempt.png',
  ]);
  expect((await copied(task('image', { numImages: 2 }), download)).results).toBeUndefined();
});
