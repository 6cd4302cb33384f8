/** Measures the copy of a video, and compares it with what the account pays for. */
import type { ClipSource } from '../../contracts/cut-clips.ts';
import type { InputLimits } from '../../contracts/media.ts';
import { isBrokenMp4, readVideoTracks } from '../../media-files/read-video-tracks.ts';
import { limitReads } from '../../platform/limit-reads.ts';
import type { StoredFile } from '../../platform/work-storage.ts';
import { invalid, isProblem, type MediaProblem, outOfLimits, unreadable } from '../media/media-problem.ts';
import { probeStored } from '../media/probe-media.ts';
import type { ClipOrder } from './clip-task.ts';

/** Containers and probes round. */
const toleratedSeconds = 2;
/** Each clip has a few frames at least. */
const leastClipSeconds = 0.1;

/** The index of a video of hours has a few megabytes, and is read more than once. */
const readLimits = { maxBytes: 128 * 2 ** 20, maxReads: 3000 };

/** @throws what the storage throws; whatever else fails is the fault of the file */
export async function measureSource(
  stored: StoredFile,
  limits: InputLimits,
  { seconds, clipCount }: ClipOrder,
): Promise<ClipSource | MediaProblem> {
  const { file, failure } = limitReads(stored, readLimits);
  if (await isBrokenMp4(file)) return unreadable(limits.types);
  const facts = await probeStored(file, { kind: 'video', limits });
  if (failure()) throw failure();
  if (isProblem(facts)) return facts;
  const { durationSec, width, height } = facts;
  if (durationSec >= seconds + toleratedSeconds) {
    return outOfLimits(`is ${Math.floor(durationSec)} seconds long, and was ${seconds} when the task was created`);
  }
  if (durationSec < clipCount * leastClipSeconds) return invalid('is too short');
  const tracks = await readVideoTracks(file).catch(() => undefined);
  if (failure()) throw failure();
  if (width === undefined || height === undefined || !tracks) return unreadable(limits.types);
  return { bytes: file.size, durationSec, width, height, ...tracks };
}
