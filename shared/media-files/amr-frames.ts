/** Counts the frames of AMR in a sample by their modes: decoders play all of them. */
import { severalFrames } from './aac-packet.ts';
import { contradictory } from './media-fault.ts';

/** The sample rates of AMR, which has 50 frames per second, by the name of its codec in an MP4. */
export const amrRates: Readonly<Record<string, number>> = { samr: 8000, sawb: 16_000 };

/** The frame size of each mode; the last modes are comfort noise, lost frames and frames without data. */
const frameSizes: Readonly<Record<string, readonly number[]>> = {
  samr: [13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1],
  sawb: [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1],
};
export const longestAmrFrame = 61;

/** Creates a check that a sample has no more than some frames. It throws {MediaFault} contradictory. */
export function amrCheck(codec: string, maxFrames: number): (sample: Uint8Array) => void {
  const sizes = frameSizes[codec] ?? [];
  return (sample) => {
    for (let [at, frames] = [0, 1]; at < sample.length; frames += 1) {
      const size = sizes[((sample[at] ?? 0) >> 3) & 15] ?? 0;
      if (size === 0) throw contradictory('has frames of AMR of an unknown mode');
      if (frames > maxFrames) throw severalFrames('sample');
      at += size;
    }
  };
}
