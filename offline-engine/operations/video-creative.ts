/**
 * `video-creative`: with a first frame, the camera moves over it and on to the last, with the prompt as captions.
 * Otherwise a scene is drawn from the prompt, whose objects perform its action. Both have music and the sounds that the
 * prompt names.
 */
import * as z from 'zod';
import { videoFrame } from '../../shared/contracts/video-frame.ts';
import { animatedScene } from '../creative/animated-scene.ts';
import { creativeScene } from '../creative/creative-scene.ts';
import { fetchImage } from '../image/fetch-image.ts';
import { prepareFonts } from '../image/fonts.ts';
import type { FrameSize } from '../image/frame-size.ts';
import { ImageUrl } from '../image/image-url.ts';
import { operation, type WorkContext } from '../operation.ts';
import { backgroundMusic, backgroundSound } from '../sound/background-sound.ts';
import { mixSounds } from '../sound/sound.ts';
import { encodeVideo } from '../video/encode-video.ts';
import type { Painter } from '../video/scene.ts';

const Input = z.object({
  prompt: z.string().min(1).max(4000),
  imageUrl: ImageUrl.exactOptional(),
  lastImageUrl: ImageUrl.exactOptional(),
  durationSec: z.int().min(4).max(10).default(5),
  aspectRatio: z.enum(['9:16', '16:9', '1:1']).default('9:16'),
  resolution: z.enum(['480p', '720p', '1080p']).default('720p'),
  audio: z.boolean().default(true),
});

type Input = z.output<typeof Input>;

/** The first frame, and the last one if it differs. */
const imagesOf = async (imageUrl: string, lastImageUrl: string | undefined) => {
  const { image: first } = await fetchImage(imageUrl, 'imageUrl');
  return lastImageUrl === undefined ? [first] : [first, (await fetchImage(lastImageUrl, 'lastImageUrl')).image];
};

const painterFor = async (input: Input, size: FrameSize, { fileStem }: WorkContext): Promise<Painter> => {
  const { prompt, imageUrl, lastImageUrl, durationSec: seconds } = input;
  // The stem differs for every job, so no two jobs make the same video.
  const seed = `${prompt}${fileStem}`;
  if (imageUrl === undefined) return animatedScene({ prompt, seed, size }, seconds);
  return creativeScene({ size, seconds, images: await imagesOf(imageUrl, lastImageUrl), prompt, seed });
};

const soundOf = async ({ prompt, durationSec }: Input) =>
  mixSounds(durationSec, [
    { sound: await backgroundMusic(prompt, durationSec), loudnessDb: -20 },
    { sound: await backgroundSound(prompt, durationSec), loudnessDb: -30 },
  ]);

export const videoCreative = operation(Input, async (input, context) => {
  await prepareFonts(context.filesDir);
  const { durationSec: seconds, resolution, aspectRatio } = input;
  const size = videoFrame(resolution, aspectRatio);
  const paint = await painterFor(input, size, context);
  context.progress(8);
  const sound = input.audio ? await soundOf(input) : undefined;
  const shown = input.imageUrl === undefined ? 'a drawn scene' : 'camera motion over the given images';
  const remark = `Sandbox video by the offline engine: ${shown}.`;
  const video = { size, seconds, paint, remark, ...(sound && { sound }) };
  return [await encodeVideo(video, context, (share) => context.progress(12 + 86 * share))];
});
