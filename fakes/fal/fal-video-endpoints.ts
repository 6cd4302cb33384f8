/**
 * The fake's video models, with their documented fields, sizes and limits; some limits of files are published only by
 * resellers.
 */
import * as z from 'zod';
import type { FalEndpoint, FileLimits, ModelInput, RequestedVideo } from './fal-endpoint.ts';
import { FalFault } from './fal-faults.ts';

const address = z.url({ protocol: /^https?$/ });
const boolean = z.boolean();

const secondsFrom = (first: number, last: number): [string, ...string[]] => {
  const [least = '', ...more] = Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
  return [least, ...more];
};

/** Parses a ratio such as `16:9`; 1 if it is unknown. */
const ratioOf = (ratio: unknown): number => {
  const [, across = '1', down = '1'] = /^(\d+):(\d+)$/.exec(String(ratio)) ?? [];
  return Number(across) / Number(down);
};

/** A frame with as many pixels as a 16:9 frame with this short side, rounded to a multiple. */
const frameOf = (shortSide: number, ratio: number, multiple: number) => {
  const pixels = (shortSide ** 2 * 16) / 9;
  const rounded = (side: number) => Math.round(side / multiple) * multiple;
  return { width: rounded(Math.sqrt(pixels * ratio)), height: rounded(Math.sqrt(pixels / ratio)) };
};

/** Parses `"5"` or `"8s"`; `auto` and absent mean the default. */
const secondsOf = ({ duration }: ModelInput, byDefault: number): number =>
  Number.parseInt(String(duration), 10) || byDefault;

type VideoOf = NonNullable<FalEndpoint['videoOf']>;

type Files = NonNullable<FalEndpoint['files']>;

const video = (input: z.ZodType<ModelInput>, videoOf: VideoOf, files: Files = {}, extras = {}): FalEndpoint => ({
  kind: 'video',
  input,
  output: 'video',
  extras,
  files,
  videoOf,
});

const megabyte = 2 ** 20;

/** Not published for Veo, so any size is accepted. */
const veoImage: FileLimits = {
  kind: 'image',
  types: ['image/jpeg', 'image/png', 'image/webp'],
  maxBytes: 8 * megabyte,
  minSide: 1,
  maxSide: Number.POSITIVE_INFINITY,
  ratios: [0, Number.POSITIVE_INFINITY],
};
const seedanceImage: FileLimits = { ...veoImage, maxBytes: 30 * megabyte, minSide: 300, ratios: [0.4, 2.5] };
/** Published for motion control, and assumed for o3. */
const klingImage: FileLimits = { ...seedanceImage, types: ['image/jpeg', 'image/png'], maxBytes: 10 * megabyte };
const motionReference: FileLimits = {
  ...veoImage,
  kind: 'video',
  types: ['video/mp4', 'video/quicktime'],
  maxBytes: 100 * megabyte,
  minSide: 340,
  maxSide: 3850,
};

const seedance = z
  .looseObject({
    resolution: z.enum(['480p', '720p', '1080p']),
    duration: z.enum(['auto', ...secondsFrom(4, 15)]),
    aspect_ratio: z.enum(['auto', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16']),
    generate_audio: boolean,
    seed: z.int(),
  })
  .partial()
  .extend({ prompt: z.string().min(1) });

const seedanceVideo: VideoOf = (input) => {
  const { resolution = '720p', aspect_ratio: ratio = '16:9', generate_audio: hasSound = true } = input;
  const frame = frameOf(Number.parseInt(String(resolution), 10), ratioOf(ratio), 16);
  return { ...frame, seconds: secondsOf(input, 5), hasSound: hasSound === true };
};

const frames = { image_url: address, end_image_url: address.optional() };
const references = {
  image_urls: z.array(address).max(9).optional(),
  video_urls: z.array(address).max(3).optional(),
  audio_urls: z.array(address).max(3).optional(),
};

const seeded = { seed: 42 };

const seedanceModels = {
  'bytedance/seedance-2.0/text-to-video': video(seedance, seedanceVideo, {}, seeded),
  'bytedance/seedance-2.0/image-to-video': video(
    seedance.extend(frames),
    seedanceVideo,
    { image_url: seedanceImage, end_image_url: seedanceImage },
    seeded,
  ),
  'bytedance/seedance-2.0/reference-to-video': video(
    seedance.extend(references),
    seedanceVideo,
    { image_urls: seedanceImage },
    seeded,
  ),
};

const klingPrompt = { prompt: z.string().min(1).max(2500).optional(), multi_prompt: z.array(z.unknown()).nullish() };
const hasOnePrompt = ({ prompt, multi_prompt: several }: ModelInput) =>
  (prompt === undefined) !== (several === undefined || several === null);
const onePrompt = { error: 'Exactly one of prompt and multi_prompt is required' };

const kling = z
  .looseObject({
    duration: z.enum(secondsFrom(3, 15)),
    aspect_ratio: z.enum(['16:9', '9:16', '1:1']),
    generate_audio: boolean,
  })
  .partial()
  .extend(klingPrompt);

const klingReferences = kling.extend({
  image_urls: z.array(address).max(7).optional(),
  start_image_url: address.optional(),
  end_image_url: address.optional(),
});

/** The tier determines the resolution. */
const klingVideo =
  (shortSide: number, isSilentByDefault: boolean): VideoOf =>
  (input) => {
    const { aspect_ratio: ratio = '16:9', generate_audio: hasSound = !isSilentByDefault } = input;
    return { ...frameOf(shortSide, ratioOf(ratio), 8), seconds: secondsOf(input, 5), hasSound: hasSound === true };
  };

const klingModels = (tier: string, shortSide: number) => ({
  [`fal-ai/kling-video/o3/${tier}/text-to-video`]: video(
    kling.refine(hasOnePrompt, onePrompt),
    klingVideo(shortSide, true),
  ),
  [`fal-ai/kling-video/o3/${tier}/reference-to-video`]: video(
    klingReferences.refine(hasOnePrompt, onePrompt),
    klingVideo(shortSide, true),
    { image_urls: klingImage, start_image_url: klingImage, end_image_url: klingImage },
  ),
});

const motionControl = z.looseObject({
  image_url: address,
  video_url: address,
  character_orientation: z.enum(['image', 'video']),
  keep_original_sound: boolean.optional(),
  prompt: z.string().max(2500).optional(),
});

/**
 * The result is as long as the frames of its reference: 3 to 30 s, or to 10 s with the image's orientation. Its shape
 * is undocumented and assumed to be that of the image.
 */
const motionVideo =
  (shortSide: number): VideoOf =>
  ({ character_orientation: orientation, keep_original_sound: keepsSound = true }, files) => {
    const [image, reference] = [files.get('image_url'), files.get('video_url')];
    if (!image || !reference) throw new FalFault('missing');
    const { seconds, hasSound } = reference;
    if (seconds < 2.95) throw new FalFault('video_duration_too_short');
    if (seconds > (orientation === 'video' ? 30.05 : 10.05)) throw new FalFault('video_duration_too_long');
    const frame = frameOf(shortSide, image.width / image.height, 8);
    return { ...frame, seconds, hasSound: keepsSound === true && hasSound };
  };

const motionModel = (shortSide: number): FalEndpoint =>
  video(motionControl, motionVideo(shortSide), { image_url: klingImage, video_url: motionReference });

const veo = z
  .looseObject({
    aspect_ratio: z.enum(['auto', '16:9', '9:16']),
    duration: z.enum(['4s', '6s', '8s']),
    resolution: z.enum(['720p', '1080p', '4k']),
    generate_audio: boolean,
    negative_prompt: z.string(),
    auto_fix: boolean,
    safety_tolerance: z.enum(['1', '2', '3', '4', '5', '6']),
    seed: z.int(),
  })
  .partial()
  .extend({ prompt: z.string().min(1) });

const veoSides: Readonly<Record<string, number>> = { '720p': 720, '1080p': 1080, '4k': 2160 };

const veoVideo: VideoOf = (input): RequestedVideo => {
  const { aspect_ratio: ratio, generate_audio: hasSound = true } = input;
  const shortSide = veoSides[String(input.resolution)] ?? 720;
  const frame = frameOf(shortSide, ratio === '9:16' ? 9 / 16 : 16 / 9, 8);
  return { ...frame, seconds: secondsOf(input, 8), hasSound: hasSound === true };
};

export const falVideoEndpoints: Readonly<Record<string, FalEndpoint>> = {
  ...seedanceModels,
  ...klingModels('standard', 720),
  ...klingModels('pro', 1080),
  'fal-ai/kling-video/v2.6/standard/motion-control': motionModel(720),
  'fal-ai/kling-video/v2.6/pro/motion-control': motionModel(1080),
  'fal-ai/kling-video/v3/standard/motion-control': motionModel(720),
  'fal-ai/kling-video/v3/pro/motion-control': motionModel(1080),
  'fal-ai/veo3.1/fast/first-last-frame-to-video': video(
    veo.extend({ first_frame_url: address, last_frame_url: address }),
    veoVideo,
    { first_frame_url: veoImage, last_frame_url: veoImage },
  ),
};
