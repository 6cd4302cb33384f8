/** What must be true of the clips of a made source. */
import { clipSeconds } from '../../../shared/contracts/generate-cortes.ts';
import type { MadeSource } from './made-source.ts';

export interface CutClip {
  readonly startTime: number;
  readonly endTime: number;
  readonly width: number;
  readonly height: number;
  /** The numbers that its frames show; absent where the crop may hide them. */
  readonly frames?: readonly number[];
}

interface Wanted {
  readonly count: number;
  readonly width: number;
  readonly height: number;
}

const nearEnough = 0.5;
const milliseconds = 0.002;

const distance = (time: number, { scenes, silences, framesPerSecond, seconds }: MadeSource): number =>
  Math.min(
    time,
    Math.abs(seconds - time),
    ...scenes.map((frame) => Math.abs(frame / framesPerSecond - time)),
    ...silences.map(({ start, end }) => Math.max(0, start - time, time - end)),
  );

/** The first and the last frame are those at the times of the cut, and none between them is missing or repeated. */
function problemsOfFrames(name: string, { startTime, endTime, frames = [] }: CutClip, source: MadeSource) {
  const { framesPerSecond: rate, isVariable } = source;
  // Of a source with over 30 frames per second, every second or third is kept.
  const step = Math.ceil(rate / 30.01);
  const isEven = !isVariable && step === 1;
  // Where frames are left out, the one at the time of the cut may be among them.
  const around = (time: number, frame: number): boolean =>
    Math.abs(frame / rate - time) <= (isEven ? 1 : step + 1) / rate + milliseconds;
  const problems: string[] = [];
  const [first = -1, last = -1] = [frames[0], frames.at(-1)];
  const isFirst = isEven
    ? first / rate >= startTime - milliseconds && around(startTime, first)
    : around(startTime, first);
  if (!isFirst) problems.push(`${name} begins with frame ${first} at ${first / rate}`);
  const isLast = isEven ? last / rate < endTime + milliseconds && around(endTime, last) : around(endTime, last + 1);
  if (!isLast) problems.push(`${name} ends with frame ${last} at ${last / rate}`);
  const steps = frames.slice(1).map((frame, index) => frame - (frames[index] ?? 0));
  const uneven = steps.filter((one) => (isVariable ? one < 0 || one > 3 : one !== step)).length;
  if (uneven > 0) problems.push(`${name} has ${uneven} of ${frames.length} frames out of step`);
  return problems;
}

export function problemsOfClips(clips: readonly CutClip[], wanted: Wanted, source: MadeSource): readonly string[] {
  const problems: string[] = [];
  if (clips.length !== wanted.count) problems.push(`${clips.length} clips instead of ${wanted.count}`);
  const inOrder = clips.toSorted((one, other) => one.startTime - other.startTime);
  for (const [index, clip] of inOrder.entries()) {
    const { startTime, endTime, width, height } = clip;
    const name = `the clip from ${startTime} to ${endTime}`;
    const length = endTime - startTime;
    if (length < clipSeconds.least - milliseconds || length > clipSeconds.most + milliseconds) {
      problems.push(`${name} lasts ${length} s`);
    }
    if (width !== wanted.width || height !== wanted.height) problems.push(`${name} is ${width} × ${height}`);
    if (startTime < (inOrder[index - 1]?.endTime ?? 0)) problems.push(`${name} overlaps the one before`);
    for (const time of [startTime, endTime]) {
      const away = distance(time, source);
      if (away > nearEnough) problems.push(`${name} is cut ${away.toFixed(2)} s from a pause or scene change`);
    }
    if (clip.frames) problems.push(...problemsOfFrames(name, clip, source));
  }
  return problems;
}
