/** The fake's video models: what they accept, and the real videos that they return. */
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { FalFault, type FalFaultType } from '../../../fakes/fal/fal-faults.ts';
import { falVideoEndpoints } from '../../../fakes/fal/fal-video-endpoints.ts';
import { generatePlainFiles } from '../../../fakes/fal/plain-files.ts';
import { readContainer } from '../../../shared/media-files/read-container.ts';
import { closeAll } from '../../engines/fal/fal-subject.ts';
import { type ImageHost, type ImageResponse, imageHost } from '../../support/image-host.ts';
import { tinyPng, tinyWebp } from '../../support/tiny-image.ts';
import { paddedMp4, tinyMp4 } from '../../support/tiny-video.ts';
import { prompt, startFake } from './fake-subject.ts';

const portrait = { width: 720, height: 1280 };
const video =
  (seconds: number, size: Parameters<typeof tinyMp4>[1] = {}): ImageResponse =>
  async (response) =>
    void response.end(await tinyMp4(seconds, { ...portrait, ...size }));
const image =
  (width: number, height: number, moreBytes = 0): ImageResponse =>
  (response) =>
    void response.end(Buffer.concat([tinyPng(width, height, { width: 1, height: 1 }), Buffer.alloc(moreBytes)]));

let files: ImageHost;
beforeAll(async () => {
  const fit = await tinyMp4(3.2, portrait);
  files = await imageHost({
    'fit.mp4': (response) => response.end(fit),
    'short.mp4': video(2.9),
    'long.mp4': video(10.2),
    'short-frames.mp4': video(2.9, { soundSeconds: 31 }),
    'long-sound.mp4': video(3, { soundSeconds: 31 }),
    'narrow.mp4': video(3, { width: 338, height: 600 }),
    'wide.mp4': video(3, { width: 3852, height: 2160 }),
    'large.mp4': (response) => Readable.from(paddedMp4(fit, 65 * 2 ** 20)).pipe(response),
    'too-large.mp4': (response) => response.writeHead(200, { 'content-length': 100 * 2 ** 20 + 1 }).flushHeaders(),
    'missing.mp4': (response) => response.writeHead(404).end(),
    'page.mp4': (response) => response.end('<!doctype html>'),
    'face.png': image(450, 800),
    'square.png': image(400, 400),
    'small.png': image(299, 400),
    'narrow.png': image(400, 1001),
    '8.png': image(400, 400, 8 * 2 ** 20),
    '10.png': image(400, 400, 10 * 2 ** 20),
    'face.webp': (response) => response.end(tinyWebp),
    'page.png': (response) => response.end('<!doctype html>'),
  });
});
afterAll(() => files.close());
afterEach(closeAll);

const address = 'https://example.com/a.png';
const seedance = { ...prompt, resolution: '480p', duration: '4', aspect_ratio: '9:16', generate_audio: false };
const kling = { ...prompt, duration: '3', aspect_ratio: '1:1', generate_audio: true };
const veo = { ...prompt, duration: '8s', aspect_ratio: '9:16', resolution: '720p' };
const motion = { image_url: address, video_url: address, character_orientation: 'video' };

type Input = Readonly<Record<string, unknown>>;
interface Example {
  readonly accepted: Input;
  readonly required: readonly string[];
  /** Fields with a value beyond a documented limit, and the error's type. */
  readonly beyond: readonly (readonly [field: string, value: unknown, type: string])[];
}

const ofSeedance = (more: Input, required: readonly string[]): Example => ({
  accepted: { ...seedance, ...more },
  required: ['prompt', ...required],
  beyond: [
    ['duration', '3', 'one_of'],
    ['duration', '16', 'one_of'],
    ['duration', 5, 'one_of'],
    ['resolution', '4k', 'one_of'],
    ['aspect_ratio', '2:1', 'one_of'],
  ],
});
const ofKling = (more: Input): Example => ({
  accepted: { ...kling, ...more },
  required: [],
  beyond: [
    ['duration', '2', 'one_of'],
    ['aspect_ratio', '4:3', 'one_of'],
    ['prompt', 'x'.repeat(2501), 'sequence_too_long'],
    ['multi_prompt', ['a'], 'value_error'],
  ],
});
const ofMotion: Example = {
  accepted: { ...motion, keep_original_sound: true },
  required: Object.keys(motion),
  beyond: [['character_orientation', 'both', 'one_of']],
};
const ofVeo = (more: Input, required: readonly string[]): Example => ({
  accepted: { ...veo, ...more },
  required: ['prompt', ...required],
  beyond: [
    ['duration', '5s', 'one_of'],
    ['aspect_ratio', '1:1', 'one_of'],
    ['resolution', '480p', 'one_of'],
  ],
});

const references = { image_urls: Array.from({ length: 9 }, () => address) };
const examples: Readonly<Record<string, Example>> = {
  'bytedance/seedance-2.0/text-to-video': ofSeedance({}, []),
  'bytedance/seedance-2.0/image-to-video': ofSeedance({ image_url: address, end_image_url: address }, ['image_url']),
  'bytedance/seedance-2.0/reference-to-video': ofSeedance(references, []),
  'fal-ai/kling-video/o3/standard/text-to-video': ofKling({}),
  'fal-ai/kling-video/o3/standard/reference-to-video': ofKling({ start_image_url: address, end_image_url: address }),
  'fal-ai/kling-video/o3/pro/text-to-video': ofKling({}),
  'fal-ai/kling-video/o3/pro/reference-to-video': ofKling({ image_urls: [address] }),
  'fal-ai/kling-video/v2.6/standard/motion-control': ofMotion,
  'fal-ai/kling-video/v2.6/pro/motion-control': ofMotion,
  'fal-ai/kling-video/v3/standard/motion-control': ofMotion,
  'fal-ai/kling-video/v3/pro/motion-control': ofMotion,
  'fal-ai/veo3.1/fast/first-last-frame-to-video': ofVeo({ first_frame_url: address, last_frame_url: address }, [
    'first_frame_url',
    'last_frame_url',
  ]),
};

test('all video models of the fal.ai fake are tested here', () => {
  expect(Object.keys(examples)).toEqual(Object.keys(falVideoEndpoints));
});

describe.for(Object.entries(examples))('the fal.ai fake’s %s', ([model, { accepted, required, beyond }]) => {
  test('accepts its documented fields, and rejects missing ones and values beyond their limits', async () => {
    const { submit, result } = await startFake({
      make: async () => [{ bytes: Buffer.of(0), contentType: 'video/mp4' }],
    });
    const reply = async (input: Input) => {
      const response = await result(await submit(input, { model }));
      return { status: response.status, body: (await response.json()) as { video?: object; detail?: object[] } };
    };
    expect(await reply(accepted)).toMatchObject({
      status: 200,
      body: { video: { url: expect.stringMatching(/\/files\/\w+\.mp4$/), content_type: 'video/mp4' } },
    });
    for (const field of required) {
      const { [field]: _missing, ...input } = accepted;
      const { status, body } = await reply(input);
      expect([status, body.detail]).toEqual([
        422,
        [expect.objectContaining({ type: 'missing', loc: ['body', field] })],
      ]);
    }
    for (const [field, value, type] of beyond) {
      const { status, body } = await reply({ ...accepted, [field]: value });
      expect([field, status, body.detail]).toEqual([field, 422, [expect.objectContaining({ type })]]);
    }
  });
});

/** What the plain video is that a model returns. */
async function generated(model: string, input: Input) {
  const [file] = await generatePlainFiles(model, input, AbortSignal.timeout(120_000));
  const body = ReadableStream.from([file?.bytes ?? new Uint8Array()]);
  return readContainer({ access: 'stream', body, close: () => undefined });
}

test.for<[string, Input, object]>([
  ['bytedance/seedance-2.0/text-to-video', seedance, { width: 480, height: 848, durationSec: 4, hasAudio: false }],
  [
    'bytedance/seedance-2.0/reference-to-video',
    { ...prompt, resolution: '720p', aspect_ratio: '1:1' },
    { width: 960, height: 960, durationSec: 5, hasAudio: true },
  ],
  ['fal-ai/kling-video/o3/pro/text-to-video', kling, { width: 1440, height: 1440, durationSec: 3, hasAudio: true }],
])('the fal.ai fake’s %s returns a real MP4 as requested by %j', async ([model, input, expected]) => {
  const found = await generated(model, input);
  expect(found).toMatchObject({
    contentType: 'video/mp4',
    ...expected,
    durationSec: expect.closeTo(found?.videoSec ?? 0, 1),
  });
  expect(found?.videoSec).toBeCloseTo((expected as { durationSec: number }).durationSec, 5);
});

describe('motion control of the fal.ai fake', () => {
  const model = 'fal-ai/kling-video/v3/standard/motion-control';
  const input = ({ image: shown = 'face.png', reference = 'fit.mp4', orientation = 'video' }) => ({
    image_url: files.url(shown),
    video_url: files.url(reference),
    character_orientation: orientation,
  });

  test.for<[Parameters<typeof input>[0], object]>([
    [{}, { width: 720, height: 1280, durationSec: expect.closeTo(3.2, 5), hasAudio: false }],
    [{ image: 'square.png' }, { width: 960, height: 960 }],
    [{ reference: 'long-sound.mp4' }, { videoSec: expect.closeTo(3, 5), hasAudio: true }],
    [{ reference: 'large.mp4' }, { videoSec: expect.closeTo(3.2, 5) }],
  ])(
    'returns a video with the aspect ratio of its image, as long as the frames of its reference: %j',
    async ([given, found]) => {
      expect(await generated(model, input(given))).toMatchObject(found);
    },
  );

  test.for([
    [{ reference: 'short.mp4' }, 'video_duration_too_short'],
    [{ reference: 'short-frames.mp4' }, 'video_duration_too_short'],
    [{ reference: 'long.mp4', orientation: 'image' }, 'video_duration_too_long'],
    [{ reference: 'page.mp4' }, 'unsupported_video_format'],
    [{ reference: 'missing.mp4' }, 'file_download_error'],
    [{ reference: 'too-large.mp4' }, 'file_too_large'],
    [{ reference: 'narrow.mp4' }, 'image_too_small'],
    [{ reference: 'wide.mp4' }, 'image_too_large'],
    [{ image: 'face.webp' }, 'unsupported_image_format'],
    [{ image: '10.png' }, 'file_too_large'],
    [{ image: 'small.png' }, 'image_too_small'],
    [{ image: 'narrow.png' }, 'value_error'],
  ] as const)('fails for files outside its limits: %j', async ([given, type]) => {
    await expect(generated(model, input(given))).rejects.toEqual(new FalFault(type));
  });
});

const last = 'fal-ai/veo3.1/fast/first-last-frame-to-video';

test('the fal.ai fake’s Veo returns a real MP4 as requested, beginning and ending with its frames', async () => {
  const input = {
    ...veo,
    duration: '4s',
    first_frame_url: files.url('face.png'),
    last_frame_url: files.url('face.webp'),
  };
  expect(await generated(last, input)).toMatchObject({
    contentType: 'video/mp4',
    width: 720,
    height: 1280,
    videoSec: expect.closeTo(4, 5),
    hasAudio: true,
  });
});

test.for<[model: string, input: Input, field: string, file: string, type: FalFaultType]>([
  [last, { ...veo, first_frame_url: 'face.png' }, 'last_frame_url', '8.png', 'file_too_large'],
  [last, { ...veo, last_frame_url: 'face.png' }, 'first_frame_url', 'page.png', 'unsupported_image_format'],
  ['bytedance/seedance-2.0/image-to-video', seedance, 'image_url', 'small.png', 'image_too_small'],
  ['bytedance/seedance-2.0/image-to-video', seedance, 'end_image_url', 'narrow.png', 'value_error'],
  ['bytedance/seedance-2.0/reference-to-video', seedance, 'image_urls', 'small.png', 'image_too_small'],
  ['fal-ai/kling-video/o3/pro/reference-to-video', kling, 'image_urls', 'face.webp', 'unsupported_image_format'],
  ['fal-ai/kling-video/o3/standard/reference-to-video', kling, 'start_image_url', 'small.png', 'image_too_small'],
  ['fal-ai/kling-video/o3/standard/reference-to-video', kling, 'end_image_url', 'narrow.png', 'value_error'],
])('the fal.ai fake’s %s, given %j, fails for the %s %s with %s', async ([model, input, field, file, type]) => {
  const urls = Object.entries(input).map(([name, value]) => [name, value === 'face.png' ? files.url(value) : value]);
  const value = field.endsWith('s') ? [files.url('face.png'), files.url(file)] : files.url(file);
  await expect(generated(model, { ...Object.fromEntries(urls), [field]: value })).rejects.toEqual(new FalFault(type));
});
