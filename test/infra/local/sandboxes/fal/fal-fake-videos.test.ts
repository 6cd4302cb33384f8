/** The fake's video models: what they accept, and the real videos that they return. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { FalFault } from '../../../../../infra/local/sandboxes/fal/fal-faults.ts';
import { falVideoEndpoints } from '../../../../../infra/local/sandboxes/fal/fal-video-endpoints.ts';
import { generatePlainFiles } from '../../../../../infra/local/sandboxes/fal/plain-files.ts';
import { readContainer } from '../../../../../shared/platform/read-container.ts';
import { closeAll } from '../../../../engines/fal/fal-subject.ts';
import { type ImageHost, imageHost } from '../../../../support/image-host.ts';
import { tinyMp4 } from '../../../../support/tiny-video.ts';
import { prompt, startFake } from './fake-subject.ts';

let files: ImageHost;
beforeAll(async () => {
  const [short, fit, long] = await Promise.all([2.9, 3.2, 10.2].map((seconds) => tinyMp4(seconds)));
  const [shortFrames, longSound] = await Promise.all([2.9, 3].map((seconds) => tinyMp4(seconds, { soundSeconds: 31 })));
  files = await imageHost({
    'fit.mp4': (response) => response.end(fit),
    'short.mp4': (response) => response.end(short),
    'long.mp4': (response) => response.end(long),
    'short-frames.mp4': (response) => response.end(shortFrames),
    'long-sound.mp4': (response) => response.end(longSound),
    'missing.mp4': (response) => response.writeHead(404).end(),
    'page.mp4': (response) => response.end('<!doctype html>'),
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

const ofSeedance = (more: Input, required: readonly string[], last: string): Example => ({
  accepted: { ...seedance, ...more },
  required: ['prompt', ...required],
  beyond: [
    ['duration', '3', 'one_of'],
    ['duration', '16', 'one_of'],
    ['duration', 5, 'one_of'],
    ['resolution', last, 'one_of'],
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

const image = { image_url: address };
const references = { image_urls: Array.from({ length: 9 }, () => address) };
const seedances = (folder: string, beyond: string) => ({
  [`${folder}/text-to-video`]: ofSeedance({}, [], beyond),
  [`${folder}/image-to-video`]: ofSeedance({ ...image, end_image_url: address }, ['image_url'], beyond),
  [`${folder}/reference-to-video`]: ofSeedance(references, [], beyond),
});
const examples: Readonly<Record<string, Example>> = {
  ...seedances('bytedance/seedance-2.0', '4k'),
  ...seedances('bytedance/seedance-2.0/fast', '1080p'),
  'fal-ai/kling-video/o3/standard/text-to-video': ofKling({}),
  'fal-ai/kling-video/o3/standard/reference-to-video': ofKling({ start_image_url: address, end_image_url: address }),
  'fal-ai/kling-video/o3/pro/text-to-video': ofKling({}),
  'fal-ai/kling-video/o3/pro/reference-to-video': ofKling({ image_urls: [address] }),
  'fal-ai/kling-video/v2.6/standard/motion-control': ofMotion,
  'fal-ai/kling-video/v2.6/pro/motion-control': ofMotion,
  'fal-ai/kling-video/v3/standard/motion-control': ofMotion,
  'fal-ai/kling-video/v3/pro/motion-control': ofMotion,
  'fal-ai/veo3.1/fast': ofVeo({}, []),
  'fal-ai/veo3.1/fast/image-to-video': ofVeo(image, ['image_url']),
  'fal-ai/veo3.1/fast/first-last-frame-to-video': ofVeo({ first_frame_url: address, last_frame_url: address }, [
    'first_frame_url',
    'last_frame_url',
  ]),
};

test('all video models are covered by this file', () => {
  expect(Object.keys(examples)).toEqual(Object.keys(falVideoEndpoints));
});

describe.for(Object.entries(examples))('%s', ([model, { accepted, required, beyond }]) => {
  test('accepts its documented fields, and rejects what is missing or beyond their limits', async () => {
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
    'bytedance/seedance-2.0/fast/reference-to-video',
    { ...prompt, resolution: '720p', aspect_ratio: '1:1' },
    { width: 960, height: 960, durationSec: 5, hasAudio: true },
  ],
  ['fal-ai/kling-video/o3/pro/text-to-video', kling, { width: 1440, height: 1440, durationSec: 3, hasAudio: true }],
  ['fal-ai/veo3.1/fast', { ...veo, duration: '4s' }, { width: 720, height: 1280, durationSec: 4, hasAudio: true }],
])('%s returns a real MP4 as requested by %j', async ([model, input, expected]) => {
  const found = await generated(model, input);
  expect(found).toMatchObject({
    contentType: 'video/mp4',
    ...expected,
    durationSec: expect.closeTo(found?.videoSec ?? 0, 1),
  });
  expect(found?.videoSec).toBeCloseTo((expected as { durationSec: number }).durationSec, 5);
});

describe('motion control', () => {
  const model = 'fal-ai/kling-video/v3/standard/motion-control';
  const input = (name: string, orientation = 'video') => ({
    ...motion,
    video_url: files.url(name),
    character_orientation: orientation,
  });

  test('returns a video as long as its reference', async () => {
    expect(await generated(model, input('fit.mp4'))).toMatchObject({
      width: 720,
      height: 1280,
      durationSec: expect.closeTo(3.2, 5),
      hasAudio: false,
    });
  });

  test('returns a video as long as the frames of its reference, whose sound may be longer', async () => {
    expect(await generated(model, input('long-sound.mp4'))).toMatchObject({
      durationSec: expect.closeTo(3, 1),
      videoSec: expect.closeTo(3, 5),
      hasAudio: true,
    });
  });

  test.for([
    ['short.mp4', 'video', 'video_duration_too_short'],
    ['short-frames.mp4', 'video', 'video_duration_too_short'],
    ['long.mp4', 'image', 'video_duration_too_long'],
    ['page.mp4', 'video', 'unsupported_video_format'],
    ['missing.mp4', 'video', 'file_download_error'],
  ] as const)('fails for a reference outside its limits: %s, orientation %s', async ([name, orientation, type]) => {
    await expect(generated(model, input(name, orientation))).rejects.toEqual(new FalFault(type));
  });
});
