/** Where a video is cut: its pauses, its loudness and its scene changes. */
import type { FetchedVideo } from '../video/fetch-video.ts';
import { measureFrames } from './frame-values.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** All times in seconds. */
export interface SourceAnalysis {
  readonly seconds: number;
  /** Nothing is heard; in order. */
  readonly pauses: readonly Span[];
  /** The first moment of each new scene, in order. */
  readonly scenes: readonly number[];
  /** In LUFS, for each tenth of a second; empty if there is no sound. */
  readonly loudness: Float32Array;
}

export const loudnessPerSecond = 10;

type Progress = (share: number) => void;

/** Louder is no pause, and shorter is part of a sentence. */
const pauseFilter = 'silencedetect=n=-35dB:d=0.3';
const soundFilter = `aresample=48000,ebur128=metadata=1,${pauseFilter},asettb=1/1000,ametadata=mode=print:file=-`;

/** In LUFS. */
const silence = -70;

const measureSound = async (video: FetchedVideo, progress: Progress) => {
  const loudness = new Float32Array(Math.ceil(video.framesSeconds * loudnessPerSecond)).fill(silence);
  const pauses: Span[] = [];
  let start: number | undefined;
  await measureFrames(video, {
    part: 'sound',
    filter: soundFilter,
    take(milliseconds, values) {
      const at = Math.round((milliseconds * loudnessPerSecond) / 1000);
      const measured = values.get('lavfi.r128.M');
      // Digital silence has no loudness.
      if (measured !== undefined && measured > silence && at in loudness) loudness[at] = measured;
      start = values.get('lavfi.silence_start') ?? start;
      const end = values.get('lavfi.silence_end');
      if (start !== undefined && end !== undefined) {
        pauses.push({ start: Math.max(0, start), end: Math.min(end, video.framesSeconds) });
        start = undefined;
      }
      if (milliseconds % 5000 === 0) progress(milliseconds / 1000 / video.framesSeconds);
    },
  });
  if (start !== undefined) pauses.push({ start: Math.max(0, start), end: video.framesSeconds });
  return { loudness, pauses: pauses.filter(({ start: from, end }) => end > from) };
};

/** Frames whose difference from the one before is larger begin a new scene. */
const leastDifference = 0.3;
/** Flashes are no scenes. */
const leastSceneSeconds = 0.5;
/** Every so many frames are printed besides, to see how far it is. */
const progressFrames = 150;
const sceneFilter = [
  'scale=192:-2:flags=fast_bilinear',
  `select='gt(scene,${leastDifference})+not(mod(n,${progressFrames}))'`,
  'settb=1/1000',
  'metadata=mode=print:key=lavfi.scene_score:file=-',
].join(',');

const findScenes = async (video: FetchedVideo, progress: Progress): Promise<readonly number[]> => {
  const scenes: number[] = [];
  await measureFrames(video, {
    part: 'frames',
    filter: sceneFilter,
    take(milliseconds, values) {
      const seconds = milliseconds / 1000;
      progress(seconds / video.framesSeconds);
      if (!((values.get('lavfi.scene_score') ?? 0) > leastDifference)) return;
      if (seconds - (scenes.at(-1) ?? 0) >= leastSceneSeconds && seconds < video.framesSeconds) scenes.push(seconds);
    },
  });
  return scenes;
};

/** Decodes the whole video once. `progress` goes from 0 to 1. @throws {WorkFailure} INPUT_INVALID */
export const analyzeSource = async (video: FetchedVideo, progress: Progress): Promise<SourceAnalysis> => {
  const sound = video.hasSound
    ? await measureSound(video, (share) => progress(share * 0.2))
    : { loudness: new Float32Array(), pauses: [] };
  const scenes = await findScenes(video, (share) => progress(0.2 + share * 0.8));
  return { ...sound, scenes, seconds: video.framesSeconds };
};
