/**
 * `video-imitate`: the character of an image in front of its own background, moved as a whole like the subject of a
 * video: its face, or else its body, or else whatever moves. The duration and the audio are those of the video.
 */
import * as z from 'zod';
import { motionModels, motionQualities } from '../../shared/contracts/generate-videos.ts';
import { videoFrame } from '../../shared/contracts/video-frame.ts';
import { invalidFile } from '../fetch-file.ts';
import { fetchImage } from '../image/fetch-image.ts';
import { prepareFonts } from '../image/fonts.ts';
import { ImageUrl } from '../image/image-url.ts';
import type { Movement } from '../imitation/pose-path.ts';
import { stageOf } from '../imitation/stage.ts';
import { followSubject } from '../imitation/subject-sightings.ts';
import { operation } from '../operation.ts';
import { decodeFrames, decodeSound } from '../video/decode-video.ts';
import { encodeVideo } from '../video/encode-video.ts';
import { type FetchedVideo, fetchVideo } from '../video/fetch-video.ts';
import { painterOf } from '../video/scene.ts';
import { markOn } from '../video/texts.ts';
import { inWorkFolder } from '../video/work-folder.ts';

const minSeconds = 3;
const maxSeconds = 30;
/** The tolerance of the duration, because the measured one is not rounded. */
const toleratedSeconds = 0.05;
const sampling = { framesPerSecond: 10, longestSide: 256 };

const Input = z.object({
  characterImage: ImageUrl,
  motionVideo: ImageUrl,
  model: z.enum(motionModels).default('vendor-motion-2.6'),
  quality: z.enum(motionQualities).default('720p'),
});

const requireLength = ({ field, framesSeconds: seconds }: FetchedVideo): void => {
  if (seconds >= minSeconds - toleratedSeconds && seconds <= maxSeconds + toleratedSeconds) return;
  throw invalidFile(field, `must be ${minSeconds} to ${maxSeconds} seconds long`);
};

export const videoImitate = operation(Input, async ({ characterImage, motionVideo, quality }, context) => {
  await prepareFonts(context.filesDir);
  const { image } = await fetchImage(characterImage, 'characterImage');
  const reference = await inWorkFolder(context, async (folder) => {
    const video = await fetchVideo({ url: motionVideo, field: 'motionVideo' }, folder);
    requireLength(video);
    context.progress(5);
    const seconds = Math.round(video.framesSeconds * 10) / 10;
    const frames = await decodeFrames(video, sampling);
    context.progress(15);
    const movements: readonly Movement[] = await followSubject(frames, (share) => context.progress(15 + 20 * share));
    return { seconds, movements, sound: await decodeSound(video, seconds) };
  });
  const size = videoFrame(quality, '9:16');
  const stage = await stageOf(image, size, reference.movements, sampling.framesPerSecond);
  const layers = [...stage, await markOn(size, 'sandbox imitation')];
  context.progress(40);
  const { seconds, sound } = reference;
  const remark = 'Character moved by the offline engine.';
  const video = { size, seconds, sound, channels: 2, paint: painterOf(layers), remark } as const;
  return [await encodeVideo(video, context, (share) => context.progress(40 + 59 * share))];
});
