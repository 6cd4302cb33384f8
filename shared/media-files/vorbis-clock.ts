/** Determines the lengths of Vorbis blocks from the stream's headers. */
import { vorbisModes } from './vorbis-setup.ts';
import type { Work } from './work.ts';

export interface VorbisClock {
  readonly sampleRate: number;
  /** The block length of a packet with this first byte; 0 for a packet without audio. */
  blockOf(firstByte: number): number;
}

/** Parses the headers; undefined if they are invalid. @throws {MediaFault} unreadable, contradictory, excessive */
export function vorbisClock(identification: Buffer, setup: Buffer, work: Work): VorbisClock | undefined {
  if (identification.length < 30) return undefined;
  const sampleRate = identification.readUInt32LE(12);
  const sizes = identification[28] ?? 0;
  const [short, long] = [1 << (sizes & 15), 1 << (sizes >> 4)];
  if (sampleRate === 0 || short < 64 || long > 8192 || long < short) return undefined;
  const modes = vorbisModes(setup, identification[11] ?? 0, work);
  const bits = Math.ceil(Math.log2(modes.length));
  return {
    sampleRate,
    blockOf(firstByte) {
      if (firstByte & 1) return 0;
      const isLong = modes[(firstByte >> 1) & ((1 << bits) - 1)];
      return isLong === undefined ? 0 : isLong ? long : short;
    },
  };
}
