/** Finds the scene changes in a part of a video, exact to the frame. */
import type { FetchedVideo } from '../video/fetch-video.ts';
import { type Measurement, measureFrames, type Span } from './frame-values.ts';

/** The least difference from the previous frame with which a frame begins a new scene. */
const minDifference = 0.3;
/** The shortest duration of a scene, in seconds; shorter ones are treated as flashes. */
const minSceneSeconds = 0.5;
/** How often ffmpeg prints a frame that begins no scene, to show its progress. */
const progressFrames = 150;
const filter = [
  'scale=192:-2:flags=fast_bilinear',
  `select='gt(scene,${minDifference})+not(mod(n,${progressFrames}))'`,
  'settb=1/1000',
  'metadata=mode=print:key=lavfi.scene_score:file=-',
].join(',');

interface FindOptions {
  readonly progress?: (share: number) => void;
  readonly beside?: Measurement['beside'];
}

/**
 * The times of the scene changes, in seconds of the video. `progress` goes from 0 to 1. @throws {WorkFailure}
 * INPUT_INVALID
 */
export const findScenes = async (
  video: FetchedVideo,
  span: Span,
  { progress, beside }: FindOptions = {},
): Promise<readonly number[]> => {
  // The start is rounded to milliseconds, in which ffmpeg receives it.
  const [start, end] = [Math.floor(span.start * 1000) / 1000, span.end];
  const scenes: number[] = [];
  await measureFrames(video, {
    part: 'frames',
    span: { start, end },
    filter,
    ...(beside && { beside }),
    take(milliseconds, values) {
      const seconds = start + milliseconds / 1000;
      progress?.((seconds - start) / (end - start));
      if (!((values.get('lavfi.scene_score') ?? 0) > minDifference)) return;
      if (seconds - (scenes.at(-1) ?? Number.NEGATIVE_INFINITY) >= minSceneSeconds) scenes.push(seconds);
    },
  });
  return scenes;
};
