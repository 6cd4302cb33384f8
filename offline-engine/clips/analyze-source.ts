/**
 * Where a video is cut: its pauses, its loudness and its scene changes. Sound and key frames are cheap; of long
 * videos all frames are decoded only where no pause is near.
 */
import { clipCountOf, clipSeconds } from '../../shared/contracts/generate-cortes.ts';
import type { FetchedVideo } from '../video/fetch-video.ts';
import { findScenes, leastDifference } from './find-scenes.ts';
import { measureFrames, type Span } from './frame-values.ts';

/** All times in seconds. */
export interface SourceAnalysis {
  readonly seconds: number;
  /** Nothing is heard; in order. */
  readonly pauses: readonly Span[];
  /** The first moment of each new scene, in order; long videos have them only where pauses are far apart. */
  readonly scenes: readonly number[];
  /** About when something else is seen, in order. */
  readonly changes: readonly number[];
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

/** On tiny frames that noise does not reach. */
const keyFrameFilter = [
  'scale=64:36:flags=area',
  'signalstats',
  'settb=1/1000',
  'metadata=mode=print:key=lavfi.signalstats.YDIF:file=-',
].join(',');

/** The key frames that differ from the ones before as much as scenes do. */
const findChanges = async (video: FetchedVideo, progress: Progress): Promise<readonly number[]> => {
  const changes: number[] = [];
  await measureFrames(video, {
    part: 'frames',
    decoding: ['-skip_frame', 'nokey'],
    filter: keyFrameFilter,
    take(milliseconds, values) {
      const seconds = milliseconds / 1000;
      progress(seconds / video.framesSeconds);
      if ((values.get('lavfi.signalstats.YDIF') ?? 0) > 100 * leastDifference) changes.push(seconds);
    },
  });
  return changes;
};

/** With a pause every 15 seconds, so much always has room for a clip. */
const roomSeconds = 3 * clipSeconds.least;

/** Where clips may need scene changes to begin and end at: away from pauses and, in short videos, everywhere. */
const stretchesOfScenes = (pauses: readonly Span[], seconds: number): readonly Span[] => {
  if (seconds < roomSeconds * clipCountOf(seconds)) return [{ start: 0, end: seconds }];
  const starts = [0, ...pauses.map(({ end }) => end)];
  const ends = [...pauses.map(({ start }) => start), seconds];
  return [...pauses, ...starts.map((start, index) => ({ start, end: ends[index] ?? seconds }))]
    .filter(({ start, end }) => end - start > clipSeconds.least)
    .toSorted((one, other) => one.start - other.start);
};

/** `progress` goes from 0 to 1. @throws {WorkFailure} INPUT_INVALID */
export const analyzeSource = async (video: FetchedVideo, progress: Progress): Promise<SourceAnalysis> => {
  const seconds = video.framesSeconds;
  const sound = video.hasSound
    ? await measureSound(video, (share) => progress(share * 0.5))
    : { loudness: new Float32Array(), pauses: [] };
  const changes = await findChanges(video, (share) => progress(0.5 + share * 0.1));
  const scenes: number[] = [];
  for (const span of stretchesOfScenes(sound.pauses, seconds)) {
    const { start, end } = span;
    const share = (of: number) => progress(0.6 + (0.4 * (start + of * (end - start))) / seconds);
    const found = await findScenes(video, span, { progress: share });
    scenes.push(...found.filter((scene) => scene < seconds));
  }
  return { ...sound, changes, scenes, seconds };
};
