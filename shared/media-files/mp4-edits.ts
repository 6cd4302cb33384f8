/** Applies a track's edit list: which parts of its media are played, and when. */
import { areFar } from './agreed-seconds.ts';
import { contradictory, unreadable } from './media-fault.ts';
import { entriesIn } from './mp4-boxes.ts';
import type { Work } from './work.ts';

interface Clocks {
  /** The movie's units per second, and the track's. */
  readonly movie: number;
  readonly track: number;
}

const normalSpeed = 0x1_0000;
const exactSec = 0.5;

/** The duration of the media before the first part that is played. */
export function hiddenSeconds(edits: Buffer | undefined, timescale: number, work: Work): number {
  if (!edits || edits.length < 8) return 0;
  const isLong = edits[0] === 1;
  const bytesEach = isLong ? 20 : 12;
  for (let at = 8; at + bytesEach <= edits.length; at += bytesEach) {
    work.enter(1);
    const from = isLong ? Number(edits.readBigInt64BE(at + 8)) : edits.readInt32BE(at + 4);
    if (from >= 0) return from / timescale;
  }
  return 0;
}

/** The duration of a track as played. @throws {MediaFault} contradictory, unreadable */
export function editedSeconds(edits: Buffer | undefined, mediaSec: number, clocks: Clocks, work: Work): number {
  if (!edits) return mediaSec;
  const isLong = edits[0] === 1;
  const bytesEach = isLong ? 20 : 12;
  const count = entriesIn(edits, 4, bytesEach);
  work.visit(count);
  let [emptySec, playedSec, hiddenSec, parts] = [0, 0, 0, 0];
  for (let edit = 0; edit < count; edit += 1) {
    const at = 8 + edit * bytesEach;
    const duration = isLong ? Number(edits.readBigUInt64BE(at)) : edits.readUInt32BE(at);
    const from = isLong ? Number(edits.readBigInt64BE(at + 8)) : edits.readInt32BE(at + 4);
    if (from === -1) {
      emptySec += duration / clocks.movie;
      continue;
    }
    if (from < 0) throw unreadable();
    if (edits.readInt32BE(at + bytesEach - 4) !== normalSpeed) {
      throw contradictory('plays parts of its media at another speed or stops them');
    }
    if (parts === 0) hiddenSec = from / clocks.track;
    parts += 1;
    // An edit without a duration plays all remaining media.
    playedSec += duration > 0 ? duration / clocks.movie : Math.max(0, mediaSec - from / clocks.track);
  }
  if (!Number.isFinite(emptySec + playedSec)) throw unreadable();
  if (parts === 0) return emptySec + mediaSec;
  // A cut without re-encoding hides everything since the last key frame, which some decoders play anyway.
  const isCut = parts === 1 && !areFar(hiddenSec + playedSec, mediaSec);
  if (!isCut && areFar(playedSec, mediaSec)) {
    throw contradictory(
      `has edits that play ${playedSec.toFixed(1)} seconds of media of ${mediaSec.toFixed(1)} seconds: export it again`,
    );
  }
  return emptySec + (Math.abs(playedSec - mediaSec) <= exactSec ? playedSec : Math.max(playedSec, mediaSec));
}
