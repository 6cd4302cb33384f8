/** Determines where clips may begin and end: in pauses and at scene changes, otherwise at quiet moments. */
import { loudnessPerSecond, type SourceAnalysis } from './analyze-source.ts';

export interface CutPoint {
  readonly time: number;
  /** How little a cut at this time disturbs, from 0 to 1. */
  readonly quality: number;
}

export interface CutPoints {
  readonly starts: readonly CutPoint[];
  readonly ends: readonly CutPoint[];
}

/** A margin before speech, which begins and ends softly. */
const leadSeconds = 0.2;
const trailSeconds = 0.35;
/** Of two points closer than this, only the better one is kept. */
const spacingSeconds = 0.5;

/** Rounds to milliseconds, so that a time is the same wherever it is used. */
const milliseconds = (time: number): number => Math.floor(time * 1000) / 1000;

/** A millisecond before a frame, whose time may have been rounded up, so that the frame itself comes first. */
export const beforeFrame = (time: number): number => milliseconds(time - 0.001);

const thinned = (points: readonly CutPoint[]): readonly CutPoint[] => {
  const kept: CutPoint[] = [];
  for (const point of points.toSorted((one, other) => one.time - other.time)) {
    const last = kept.at(-1);
    if (!last || point.time - last.time >= spacingSeconds) kept.push(point);
    else if (point.quality > last.quality) kept[kept.length - 1] = point;
  }
  return kept;
};

/** A scene change during speech is worse than a pause. */
const qualities = { edge: 0.9, pause: 1, scene: 0.6, quiet: 0.3, any: 0.1 };

const scenePoints = ({ scenes }: SourceAnalysis): readonly CutPoint[] =>
  scenes.map((scene) => ({ time: beforeFrame(scene), quality: qualities.scene }));

/** Points in pauses, at scene changes, and at the beginning and end of the video. */
export const naturalPoints = (analysis: SourceAnalysis): CutPoints => {
  const { pauses, seconds } = analysis;
  const { pause: quality, edge } = qualities;
  const starts = pauses.map(({ start, end }) => ({ time: milliseconds(Math.max(start, end - leadSeconds)), quality }));
  const ends = pauses.map(({ start, end }) => ({ time: milliseconds(Math.min(end, start + trailSeconds)), quality }));
  const scenes = scenePoints(analysis);
  return {
    starts: thinned([{ time: 0, quality: edge }, ...starts, ...scenes]),
    ends: thinned([...ends, ...scenes, { time: milliseconds(seconds), quality: edge }]),
  };
};

const cellSeconds = 2;

/** The quietest moment of every two seconds. */
const quietMoments = ({ loudness, seconds }: SourceAnalysis): readonly CutPoint[] => {
  const moments: CutPoint[] = [];
  const step = cellSeconds * loudnessPerSecond;
  for (let from = 0; from < loudness.length; from += step) {
    const cell = loudness.subarray(from, from + step);
    const at = cell.indexOf(Math.min(...cell));
    const time = (from + at) / loudnessPerSecond;
    if (time < seconds) moments.push({ time, quality: qualities.quiet });
  }
  return moments;
};

/** Natural points and, for videos with too few of them, quiet moments and whole seconds. */
export const allPoints = (analysis: SourceAnalysis): CutPoints => {
  const natural = naturalPoints(analysis);
  const whole = Array.from({ length: Math.floor(analysis.seconds) + 1 }, (_, time) => ({
    time,
    quality: qualities.any,
  }));
  const further = [...quietMoments(analysis), ...whole.filter(({ time }) => time < analysis.seconds)];
  return { starts: thinned([...natural.starts, ...further]), ends: thinned([...natural.ends, ...further]) };
};
