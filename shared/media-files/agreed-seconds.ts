/** Compares the declared duration of a file with the measured one. */
import { contradictory } from './media-fault.ts';

const toleratedShare = 0.05;
const toleratedSec = 1;
/** How many seconds a codec may add before and after the audio; players skip them. */
const paddingSec = 0.5;
/** A limit of frame rates that is higher than those of all cameras and screens. */
const maxFramesPerSecond = 240;

export const areFar = (one: number, other: number): boolean =>
  Math.abs(one - other) > Math.max(toleratedSec, toleratedShare * Math.max(one, other));

const inSeconds = (seconds: number): string => seconds.toFixed(1);

/**
 * The declared duration if it excludes nothing but padding, otherwise the longer of the declared and the measured one.
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

/** Rejects an impossible frame rate. @throws {MediaFault} contradictory */
export function requireFrameRate(frames: number, seconds: number): void {
  if (frames > 1 && frames > seconds * maxFramesPerSecond) {
    throw contradictory(`has more than ${maxFramesPerSecond} frames per second`);
  }
}
