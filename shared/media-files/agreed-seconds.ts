/** What a file declares, held against what was measured of it. */
import { contradictory } from './media-fault.ts';

const toleratedShare = 0.05;
const toleratedSec = 1;
/** What codecs add before and after the sound, which players leave out. */
const paddingSec = 0.5;
/** No camera or screen has more. */
const mostFramesPerSecond = 240;

export const areFar = (one: number, other: number): boolean =>
  Math.abs(one - other) > Math.max(toleratedSec, toleratedShare * Math.max(one, other));

const inSeconds = (seconds: number): string => seconds.toFixed(1);

/**
 * The declared duration where it only leaves out padding, and otherwise the longer of the two.
 * @throws {MediaFault} contradictory
 */
export function agreedSeconds(what: 'sound' | 'picture', measured: number, declared: number): number {
  if (areFar(measured, declared)) {
    throw contradictory(
      `declares ${inSeconds(declared)} seconds of ${what}, but contains ${inSeconds(measured)}: export it again`,
    );
  }
  return Math.abs(measured - declared) <= paddingSec ? declared : Math.max(measured, declared);
}

/** @throws {MediaFault} contradictory */
export function requireFrameRate(frames: number, seconds: number): void {
  if (frames > 1 && frames > seconds * mostFramesPerSecond) {
    throw contradictory(`has more than ${mostFramesPerSecond} frames per second`);
  }
}
