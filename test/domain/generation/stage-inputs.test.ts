/** Copies of the images in a request, and which of them no engine receives. */
import { describe, expect, test } from 'vitest';
import { workerTimeoutSeconds } from '../../../infra/hosting.ts';
import { imageContracts } from '../../../shared/contracts/generate-images.ts';
import { stageInputs, stagingMs } from '../../../shared/domain/generation/stage-inputs.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import type { Bucket } from '../../../shared/platform/bucket.ts';
import { OutboundFailed } from '../../../shared/platform/safe-fetch.ts';
import { servedFile } from '../../support/served-file.ts';
import { tinyPng } from '../../support/tiny-image.ts';
import { tinyMp4 } from '../../support/tiny-video.ts';
import { clock, copied, imageUrl, staged, task, uncopied } from './staged-inputs.ts';

test.for([
  [2, 4000, 4000],
  [2, 16_000, 1000],
  [4, 2000, 2000],
] as const)(
  'an image of exactly 64 megapixels after enlargement by %i (%i × %i pixels) is submitted to the engine',
  async ([scale, width, height]) => {
    const { result, stored, seen } = await staged(task('image-upscale', { imageUrl, scale }), width, height);
    expect(result).toEqual({ input: { imageUrl: `${copied}/inputs/task-1/1.png`, scale } });
    const bytes = tinyPng(width, height, { width: 1, height: 1 });
    expect(stored).toEqual([['inputs/task-1/1.png', 'image/png', bytes]]);
    expect(seen.closed).toBe(1);
  },
);

test.for([
  [2, 4001, 4000],
  [2, 7000, 7000],
  [4, 2000, 2001],
  [4, 4000, 3000],
] as const)(
  'an image that would exceed 64 megapixels after enlargement by %i (%i × %i pixels) is rejected and not stored',
  async ([scale, width, height]) => {
    const { result, stored } = await staged(task('image-upscale', { imageUrl, scale }), width, height);
    const detail = `imageUrl would have more than 64 megapixels at ${scale} times its size`;
    expect(result).toEqual({ status: 'failed', code: 'INPUT_INVALID', detail });
    expect(stored).toEqual([]);
  },
);

test('an image that is not upscaled may have 50 megapixels', async () => {
  const { result } = await staged(task('background-remove', { imageUrl, format: 'png' }), 10_000, 5000);
  expect(result).toEqual({ input: { imageUrl: `${copied}/inputs/task-1/1.png`, format: 'png' } });
});

test.for<[string, number, number, string | undefined]>([
  ['exactly at the limits of its route’s model is stored', 64, 160, undefined],
  [
    'smaller than its route’s model allows is rejected and not stored',
    63,
    63,
    'must be at least 64 pixels per side and at most 9.437184 megapixels and 16384 pixels per side',
  ],
  [
    'narrower than its route’s model allows is rejected and not stored',
    64,
    161,
    'must have an aspect ratio between 1:2.5 and 2.5:1',
  ],
])('an image that is %s', async ([, width, height, reason]) => {
  const of = { ...task('background-remove', { imageUrl, format: 'png' }), route: 'bedrock/remove-background' };
  const { result, stored } = await staged(of, width, height);
  const failure = { status: 'failed', code: 'INPUT_INVALID', detail: `imageUrl ${reason}` };
  expect(result).toMatchObject(reason === undefined ? { input: { format: 'png' } } : failure);
  expect(stored).toHaveLength(reason === undefined ? 1 : 0);
});

describe('an input file whose download breaks off', () => {
  const of = task('image-edit', { imageUrl, prompt: 'x', referenceImages: [imageUrl] });

  test('after the file’s header is downloaded again once and then reported by its field', async () => {
    const end = new OutboundFailed('connection');
    const { result, requests, seen } = await staged(of, 9, 9, { end });
    const detail = 'imageUrl could not be downloaded: the connection failed';
    expect(result).toEqual({ status: 'failed', code: 'DOWNLOAD_FAILED', detail });
    expect(requests).toHaveLength(4);
    expect(seen.closed).toBe(4);
  });

  test('at its size limit is not downloaded again', async () => {
    const { result, requests } = await staged(of, 9, 9, { end: new OutboundFailed('too-large') });
    expect(result).toMatchObject({ code: 'INPUT_INVALID', detail: 'imageUrl must be at most 10 MB' });
    expect(requests).toHaveLength(2);
  });
});

test.for<[string, Buffer, string]>([
  ['a GIF', Buffer.from('GIF89a\u0001\u0000\u0001\u0000'), 'imageUrl must be a JPEG, PNG or WebP file, not GIF'],
  ['an HTML page', Buffer.from('<!doctype html>'), 'imageUrl is not a readable JPEG, PNG or WebP file'],
  ['a broken PNG', tinyPng(9, 9).subarray(0, 20), 'imageUrl is not a readable JPEG, PNG or WebP file'],
  ['a truncated PNG', tinyPng(9, 9).subarray(0, -12), 'imageUrl is truncated'],
])('an input that is %s is rejected with an error that names its field and the reason', async ([, bytes, detail]) => {
  const { result, stored } = await staged(task('background-remove', { imageUrl }), 1, 1, { parts: [bytes] });
  expect(result).toEqual({ status: 'failed', code: 'INPUT_INVALID', detail });
  expect(stored).toEqual([]);
});

test('a storage failure is not attributed to the file', async () => {
  const inputs: Bucket = {
    write: () => Promise.reject(new Error('the storage is down')),
    addressOf: async () => copied,
  };
  const { outbound } = servedFile({ parts: [tinyPng(9, 9)] });
  const staging = stageInputs(
    { clock, inputs, outbound },
    task('background-remove', { imageUrl, format: 'png' }),
    uncopied,
  );
  await expect(staging).rejects.toThrow('the storage is down');
});

describe('the copies of a task’s two input files', () => {
  const of = task('image-edit', { imageUrl, prompt: 'x', referenceImages: [imageUrl] });
  const input = {
    imageUrl: `${copied}/inputs/task-1/1.png`,
    prompt: 'x',
    referenceImages: [`${copied}/inputs/task-1/2.png`],
  };

  /**
   * Each `next` copies the inputs as one attempt at a submission does, and remembers the recorded keys for the next.
   * The first `crashes` attempts fail before they record anything.
   */
  function attempts({ crashes = 0, recorded }: { crashes?: number; recorded?: readonly string[] } = {}) {
    const { outbound, requests } = servedFile({ parts: [tinyPng(9, 9)] });
    const stored = new Set<string>();
    const inputs: Bucket = {
      write: async (key, { body }) => {
        stored.add(key);
        return Buffer.concat(await Array.fromAsync(body)).length;
      },
      addressOf: async (key) => `${copied}/${key}`,
    };
    let keys = recorded;
    let crashesLeft = crashes;
    const record = async (complete: readonly string[]) => {
      crashesLeft -= 1;
      if (crashesLeft >= 0) throw new Error('the process died');
      keys = complete;
    };
    return { next: () => stageInputs({ clock, inputs, outbound }, of, { keys, record }), requests, stored };
  }

  test('are made once, however often the task is submitted', async () => {
    const { next, requests } = attempts();
    for (let submission = 0; submission < 3; submission += 1) expect(await next()).toEqual({ input });
    expect(requests).toHaveLength(2);
  });

  test('are recognized by their position, not by the number of recorded keys', async () => {
    const { next, requests } = attempts({ recorded: ['inputs/task-1/source.mp4', 'inputs/task-1/1.png'] });
    for (let submission = 0; submission < 2; submission += 1) expect(await next()).toEqual({ input });
    expect(requests).toHaveLength(1);
  });

  test('are made again under the same keys if the process crashed before it recorded them', async () => {
    const { next, requests, stored } = attempts({ crashes: 1 });
    await expect(next()).rejects.toThrow('the process died');
    for (let submission = 0; submission < 2; submission += 1) expect(await next()).toEqual({ input });
    expect(requests).toHaveLength(4);
    expect([...stored]).toEqual(['inputs/task-1/1.png', 'inputs/task-1/2.png']);
  });

  test('are not recorded while one of them is missing', async () => {
    const { outbound } = servedFile({ parts: [tinyPng(9, 9).subarray(0, 20)] });
    const inputs: Bucket = { write: async () => 1, addressOf: async () => copied };
    const record = () => Promise.reject(new Error('nothing is complete'));
    expect(await stageInputs({ clock, inputs, outbound }, of, { keys: undefined, record })).toMatchObject({
      status: 'failed',
    });
  });
});

describe('the time limit for copying an input file', () => {
  const of = {
    ...task('video-imitate', { motionVideo: 'https://example.com/a.mp4' }),
    measuredSeconds: { motionVideo: 5 },
  };
  const inputs: Bucket = {
    write: async (_key, { body }) => Buffer.concat(await Array.fromAsync(body)).length,
    addressOf: async () => copied,
  };

  /** A video that its first two kilobytes describe completely, before the connection fails. */
  async function video(): Promise<Buffer> {
    const space = Buffer.alloc(4096);
    space.writeUInt32BE(space.length);
    space.write('free', 4);
    return Buffer.concat([await tinyMp4(5), space]);
  }

  /** The time that each copy gets if every request takes this long and the copies fail. */
  async function timesOf(staged: Task, file: Buffer, eachMs: number): Promise<readonly number[]> {
    let now = 0;
    const { outbound, requests } = servedFile({ parts: [file], end: new OutboundFailed('connection') });
    const slow: typeof outbound = {
      ...outbound,
      open: async (...call) => {
        const stream = await outbound.open(...call);
        now += eachMs;
        return stream;
      },
    };
    await stageInputs({ clock: { now: () => now }, inputs, outbound: slow }, staged, uncopied);
    return requests.filter(([, { headers }]) => !headers?.range).map(([, { timeoutMs }]) => timeoutMs);
  }

  test('depends on the largest size allowed for the file', async () => {
    expect(await timesOf(task('background-remove', { imageUrl }), tinyPng(9, 9), 0)).toEqual([8000, 8000]);
    expect(await timesOf(of, await video(), 0)).toEqual([25_000, 25_000]);
  });

  test('covers all attempts together, and leaves the step enough time to submit the task', async () => {
    expect(await timesOf(of, await video(), 10_000)).toEqual([25_000, 6000]);
    expect(stagingMs).toBeLessThan(workerTimeoutSeconds.askEngine * 1000 - 10_000);
  });
});

test('the API’s description of upscaling documents the limit of 64 megapixels', () => {
  expect(imageContracts.upscaleImage.description).toContain(
    'more than 64 megapixels, the task fails with INPUT_INVALID',
  );
});
