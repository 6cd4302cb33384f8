/** The fake's video models, with their documented fields, sizes and limits. */
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { readImageHead } from '../../shared/media-files/image-head.ts';
import { readContainer } from '../../shared/media-files/read-container.ts';
import { type PlainVideo, plainVideo } from '../plain-media.ts';
import { contentOf, type FalEndpoint, type ModelInput, type WorkOptions } from './fal-endpoint.ts';
import { FalFault } from './fal-faults.ts';

const address = z.url({ protocol: /^https?$/ });
const boolean = z.boolean();
const prompt = z.string().min(1);

/** Whole seconds, as text. */
const secondsFrom = (first: number, last: number) =>
  z.enum(Array.from({ length: last - first + 1 }, (_, index) => String(first + index)));

/**
 * The size of a frame with as many pixels as a 16:9 frame with this short side; both sides are rounded to a multiple.
 */
const frameOf = (shortSide: number, ratio: number, multiple: number) => {
  const pixels = (shortSide ** 2 * 16) / 9;
  const rounded = (side: number) => Math.round(side / multiple) * multiple;
  return { width: rounded(Math.sqrt(pixels * ratio)), height: rounded(Math.sqrt(pixels / ratio)) };
};

type VideoOf = (input: ModelInput, options: WorkOptions) => PlainVideo | Promise<PlainVideo>;

const video = (shape: z.ZodRawShape, videoOf: VideoOf): FalEndpoint => ({
  input: z.strictObject(shape),
  output: 'video',
  filesOf: async (...given) => [{ bytes: await plainVideo(await videoOf(...given)), contentType: 'video/mp4' }],
});

/** A video as requested; the tier determines the resolution of models without such a field. */
const requestedVideo =
  (multiple: number, tier?: number): VideoOf =>
  ({ aspect_ratio: ratio, resolution, duration, generate_audio: hasSound }) => {
    const [across = 1, down = 1] = String(ratio).split(':').map(Number);
    const shortSide = tier ?? Number.parseInt(String(resolution), 10);
    const seconds = Number.parseInt(String(duration), 10);
    return { ...frameOf(shortSide, across / down, multiple), seconds, hasSound: hasSound === true };
  };

const seedance = (more: z.ZodRawShape): FalEndpoint =>
  video(
    {
      prompt,
      duration: secondsFrom(4, 15),
      resolution: z.enum(['480p', '720p', '1080p']),
      aspect_ratio: z.enum(['21:9', '16:9', '4:3', '1:1', '3:4', '9:16']),
      generate_audio: boolean,
      ...more,
    },
    requestedVideo(16),
  );

const kling = (tier: number, more: z.ZodRawShape): FalEndpoint =>
  video(
    {
      prompt: prompt.max(2500),
      duration: secondsFrom(3, 15),
      aspect_ratio: z.enum(['16:9', '9:16', '1:1']),
      generate_audio: boolean,
      ...more,
    },
    requestedVideo(8, tier),
  );

const klingReferences = {
  image_urls: z.array(address).max(7).optional(),
  start_image_url: address.optional(),
  end_image_url: address.optional(),
};

/** The ratio of an image. @throws {FalFault} */
async function imageRatio(url: unknown, options: WorkOptions): Promise<number> {
  const found = readImageHead(await buffer(await contentOf(url, options)));
  if (!found) throw new FalFault('unsupported_image_format');
  return found.width / found.height;
}

/**
 * The result is as long as the frames of its reference, 3 to 30 s. Its shape is undocumented and assumed to be that of
 * the image.
 */
const motionControl = (tier: number): FalEndpoint =>
  video(
    {
      image_url: address,
      video_url: address,
      character_orientation: z.literal('video'),
      keep_original_sound: z.literal(true),
    },
    async ({ image_url: imageUrl, video_url: videoUrl }, options) => {
      const ratio = await imageRatio(imageUrl, options);
      const body = await contentOf(videoUrl, options);
      const found = await readContainer({ access: 'stream', body, close: () => undefined }).catch(() => undefined);
      if (!found?.hasVideo) throw new FalFault('unsupported_video_format');
      const { videoSec: seconds = 0, hasAudio: hasSound } = found;
      if (seconds < 2.95) throw new FalFault('video_duration_too_short');
      if (seconds > 30.05) throw new FalFault('video_duration_too_long');
      return { ...frameOf(tier, ratio, 8), seconds, hasSound };
    },
  );

export const falVideoEndpoints: Readonly<Record<string, FalEndpoint>> = {
  'bytedance/seedance-2.0/text-to-video': seedance({}),
  'bytedance/seedance-2.0/image-to-video': seedance({ image_url: address, end_image_url: address.optional() }),
  'bytedance/seedance-2.0/reference-to-video': seedance({ image_urls: z.array(address).max(9) }),
  'fal-ai/kling-video/o3/standard/text-to-video': kling(720, {}),
  'fal-ai/kling-video/o3/standard/reference-to-video': kling(720, klingReferences),
  'fal-ai/kling-video/o3/pro/text-to-video': kling(1080, {}),
  'fal-ai/kling-video/o3/pro/reference-to-video': kling(1080, klingReferences),
  'fal-ai/kling-video/v2.6/standard/motion-control': motionControl(720),
  'fal-ai/kling-video/v2.6/pro/motion-control': motionControl(1080),
  'fal-ai/kling-video/v3/standard/motion-control': motionControl(720),
  'fal-ai/kling-video/v3/pro/motion-control': motionControl(1080),
  'fal-ai/veo3.1/fast/first-last-frame-to-video': video(
    {
      prompt,
      first_frame_url: address,
      last_frame_url: address,
      aspect_ratio: z.enum(['16:9', '9:16']),
      duration: z.enum(['4s', '6s', '8s']),
      resolution: z.enum(['720p', '1080p']),
      generate_audio: boolean,
    },
    requestedVideo(8),
  ),
};
