/**
 * Analyzes where a video can be cut: its pauses, loudness and scene changes. Audio is cheap to analyze; for long
 * videos, all frames are decoded only where there is no pause nearby.
 */
import { clipCountOf, clipSeconds } from '../../shared/contracts/generate-cortes.ts';
import type { FetchedVideo } from '../video/fetch-video.ts';
import { findScenes } from './find-scenes.ts';
import { measureFrames, type Span } from './frame-values.ts';

/** The result of an analysis; all times are in seconds. */
export interface SourceAnalysis {
  readonly seconds: number;
  /** Silent spans, in order. */
  readonly pauses: readonly Span[];
  /** The start of each new scene, in order; for long videos, only where pauses are far apart. */
  readonly scenes: readonly number[];
  /** The loudness in LUFS for each tenth of a second; empty without audio. */
  readonly loudness: Float32Array;
}

export const loudnessPerSecond = 10;

type Progress = (share: number) => void;

/** A silence counts as a pause if it is at least this quiet and this long; shorter ones are part of a sentence. */
const pauseFilter = 'silencedetect=n=-35dB:d=0.3';
const soundFilter = `aresample=48000,ebur128=metadata=1,${pauseFilter},asettb=1/1000,ametadata=mode=print:file=-`;

/** The loudness of silence, in LUFS. */
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
      // Digital silence has no measured loudness.
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

/** With a pause at least every 15 seconds, a span of this length always has room for a clip. */
const roomSeconds = 3 * clipSeconds.min;

/** Where scene changes are needed as cut points: away from pauses and, in short videos, everywhere. */
const spansOfScenes = (pauses: readonly Span[], seconds: number): readonly Span[] => {
  if (seconds < roomSeconds * clipCountOf(seconds)) return [{ start: 0, end: seconds }];
  const starts = [0, ...pauses.map(({ end }) => end)];
  const ends = [...pauses.map(({ start }) => start), seconds];
  return [...pauses, ...starts.map((start, index) => ({ start, end: ends[index] ?? seconds }))]
    .filter(({ start, end }) => end - start > clipSeconds.min)
    .toSorted((one, other) => one.start - other.start);
};

/** Analyzes a video; `progress` goes from 0 to 1. @throws {WorkFailure} INPUT_INVALID */
export const analyzeSource = async (video: FetchedVideo, progress: Progress): Promise<SourceAnalysis> => {
  const seconds = video.framesSeconds;
  const sound = video.hasSound
    ? await measureSound(video, (share) => progress(share * 0.5))
    : { loudness: new Float32Array(), pauses: [] };
  const scenes: number[] = [];
  for (const span of spansOfScenes(sound.pauses, seconds)) {
    const { start, end } = span;
    const share = (of: number) => progress(0.5 + (0.5 * (start + of * (end - start))) / seconds);
    const found = await findScenes(video, span, { progress: share });
    scenes.push(...found.filter((scene) => scene < seconds));
  }
  return { ...sound, scenes, seconds };
};
