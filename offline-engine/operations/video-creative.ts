/**
 * `video-creative`: the camera moves over the given first frame and on to the last, or over a landscape or abstract art
 * drawn from the prompt, which is shown as a caption; with music and the sounds that the prompt names. The prompt's
 * action is not performed.
 */
import * as z from 'zod';
import { videoFrame } from '../../shared/contracts/video-frame.ts';
import { creativeScene } from '../creative/creative-scene.ts';
import { drawnScene } from '../image/drawn-scene.ts';
import { fetchImage } from '../image/fetch-image.ts';
import { prepareFonts } from '../image/fonts.ts';
import { ImageUrl } from '../image/image-url.ts';
import { operation, type WorkContext } from '../operation.ts';
import { backgroundMusic, backgroundSound } from '../sound/background-sound.ts';
import { mixSounds } from '../sound/sound.ts';
import { encodeVideo } from '../video/encode-video.ts';

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

/** The first frame, and the last one if it differs; without frames, two drawings. */
const imagesOf = async ({ prompt, imageUrl, lastImageUrl, ...input }: Input, { fileStem }: WorkContext) => {
  if (imageUrl !== undefined) {
    const { image: first } = await fetchImage(imageUrl, 'imageUrl');
    return lastImageUrl === undefined ? [first] : [first, (await fetchImage(lastImageUrl, 'lastImageUrl')).image];
  }
  // Generated drawings are always 720p, because they have no details that a larger size would show.
  const size = videoFrame(input.resolution === '1080p' ? '720p' : input.resolution, input.aspectRatio);
  // The stem differs for every job, so no two jobs draw the same video.
  return Promise.all([0, 1].map((sun) => drawnScene(prompt, `${prompt}${fileStem}`, size, sun)));
};

const soundOf = async ({ prompt, durationSec }: Input) =>
  mixSounds(durationSec, [
    { sound: await backgroundMusic(prompt, durationSec), loudnessDb: -20 },
    { sound: await backgroundSound(prompt, durationSec), loudnessDb: -30 },
  ]);

export const videoCreative = operation(Input, async (input, context) => {
  await prepareFonts(context.filesDir);
  const images = await imagesOf(input, context);
  context.progress(8);
  const { prompt, durationSec: seconds, resolution, aspectRatio } = input;
  const size = videoFrame(resolution, aspectRatio);
  const paint = await creativeScene({ size, seconds, images, prompt, seed: `${prompt}${context.fileStem}` });
  const sound = input.audio ? await soundOf(input) : undefined;
  const origin = input.imageUrl === undefined ? 'procedural art' : 'the given images';
  const remark = `Sandbox video by the offline engine: camera motion over ${origin}.`;
  const video = { size, seconds, paint, remark, ...(sound && { sound }) };
  return [await encodeVideo(video, context, (share) => context.progress(12 + 86 * share))];
});
