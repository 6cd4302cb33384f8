/** Applies a track's edit list: which parts of its media are played, and when. */
import { areFar } from './agreed-seconds.ts';
import { contradictory, unreadable } from './media-fault.ts';
import { entriesIn } from './mp4-boxes.ts';
import type { Work } from './work.ts';

export interface Edits {
  /** The seconds of silence before and between the parts. */
  readonly emptySec: number;
  /** Where each part begins in the media, and its duration; without one, it plays all remaining media. */
  readonly parts: readonly { readonly fromSec: number; readonly seconds: number | undefined }[];
}

interface Clocks {
  /** The time units per second of the movie and of the track. */
  readonly movie: number;
  readonly track: number;
}

const normalSpeed = 0x1_0000;
const exactSec = 0.5;
const longestPrimingSec = 0.5;

/** Parses an edit list. @throws {MediaFault} contradictory, unreadable, excessive */
export function editsIn(list: Buffer | undefined, clocks: Clocks, work: Work): Edits {
  const parts: Edits['parts'][number][] = [];
  if (!list) return { emptySec: 0, parts };
  const isLong = list[0] === 1;
  const bytesEach = isLong ? 20 : 12;
  const count = entriesIn(list, 4, bytesEach);
  work.visit(count);
  let emptySec = 0;
  for (let edit = 0; edit < count; edit += 1) {
    const at = 8 + edit * bytesEach;
    const duration = isLong ? Number(list.readBigUInt64BE(at)) : list.readUInt32BE(at);
    const from = isLong ? Number(list.readBigInt64BE(at + 8)) : list.readInt32BE(at + 4);
    if (from === -1) {
      emptySec += duration / clocks.movie;
      continue;
    }
    if (from < 0) throw unreadable();
    if (list.readInt32BE(at + bytesEach - 4) !== normalSpeed) {
      throw contradictory('plays parts of its media at another speed or stops them');
    }
    parts.push({ fromSec: from / clocks.track, seconds: duration > 0 ? duration / clocks.movie : undefined });
  }
  return { emptySec, parts };
}

/** The duration of the media before the first part that is played. */
export const hiddenSeconds = ({ parts }: Edits): number => parts[0]?.fromSec ?? 0;

/**
 * The duration of a track as played. Each further part adds the duration of a frame, because decoders play a frame in
 * full even if the part shows only a moment of it. @throws {MediaFault} contradictory
 */
export function editedSeconds({ emptySec, parts }: Edits, mediaSec: number, frameSec: number): number {
  if (parts.length === 0) return emptySec + mediaSec;
  const playedSec = parts.reduce(
    (sum, { fromSec, seconds }) => sum + (seconds ?? Math.max(0, mediaSec - fromSec)),
    (parts.length - 1) * frameSec,
  );
  if (!Number.isFinite(emptySec + playedSec)) throw unreadable();
  // A cut without re-encoding hides everything since the last key frame, but some decoders play it anyway.
  const isCut = parts.length === 1 && !areFar((parts[0]?.fromSec ?? 0) + playedSec, mediaSec);
  if (!isCut && areFar(playedSec, mediaSec)) {
    throw contradictory(
      `has edits that play ${playedSec.toFixed(1)} seconds of media of ${mediaSec.toFixed(1)} seconds: export it again`,
    );
  }
  return emptySec + (Math.abs(playedSec - mediaSec) <= exactSec ? playedSec : Math.max(playedSec, mediaSec));
}

/**
 * The duration of a track with fragments. Its edits cannot state the length, because decoders apply them to the samples
 * of the index only. So just the encoder's priming is left out.
 * @throws {MediaFault} contradictory
 */
export function fragmentedSeconds({ emptySec, parts }: Edits, mediaSec: number): number {
  if (parts.length > 1) throw contradictory('has edits beside fragments: export it again');
  const primingSec = hiddenSeconds({ emptySec, parts });
  const isPriming = primingSec < longestPrimingSec && primingSec < mediaSec;
  return emptySec + (isPriming ? mediaSec - primingSec : mediaSec);
}
