/** Moves the ends of clips to nearby scene changes, so that no clip begins or ends with a flash of another scene. */
import { clipSeconds } from '../../shared/contracts/generate-cortes.ts';
import type { FetchedVideo } from '../video/fetch-video.ts';
import { beforeFrame, type ChosenClip } from './choose-clips.ts';
import { findScenes } from './find-scenes.ts';
import type { Span } from './frame-values.ts';

/** The longest duration of a flash: a scene that is visible for longer stays in the clip. */
const flashSeconds = 0.5;

/** Whether nothing is said between two times. */
const isPause = (pauses: readonly Span[], from: number, to: number): boolean =>
  pauses.some(({ start, end }) => start <= from && to <= end);

/** Aligns a clip; `scenes` are the scene changes near its ends. A clip only becomes shorter, but never too short. */
export function alignedClip<Clip extends Span>(clip: Clip, scenes: readonly number[], pauses: readonly Span[]): Clip {
  const times = scenes.map(beforeFrame);
  const { start, end } = clip;
  const first = times.findLast((time) => time > start && time - start < flashSeconds && isPause(pauses, start, time));
  const last = times.find((time) => time < end && end - time < flashSeconds && isPause(pauses, time, end));
  const aligned = { ...clip, start: first ?? start, end: last ?? end };
  // The least duration of an aligned clip; clips of short videos may already be shorter than usual.
  const min = end - start < clipSeconds.min ? (end - start) / 2 : clipSeconds.min;
  return aligned.end - aligned.start < min ? clip : aligned;
}

/** Aligns clips. @throws {WorkFailure} INPUT_INVALID */
export async function alignClips(video: FetchedVideo, clips: readonly ChosenClip[], pauses: readonly Span[]) {
  const aligned: ChosenClip[] = [];
  for (const clip of clips) {
    const spans = [
      { start: clip.start, end: clip.start + flashSeconds },
      { start: Math.max(0, clip.end - flashSeconds), end: clip.end },
    ];
    const scenes: number[] = [];
    for (const span of spans) scenes.push(...(await findScenes(video, span)));
    aligned.push(alignedClip(clip, scenes, pauses));
  }
  return aligned;
}
