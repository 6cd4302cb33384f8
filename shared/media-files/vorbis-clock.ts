/** Determines the lengths of Vorbis blocks from the stream's headers. */

export interface VorbisClock {
  readonly sampleRate: number;
  /** The block length of a packet with this first byte; 0 for a packet without audio. */
  blockOf(firstByte: number): number;
}

const mostModes = 64;
const modeBits = 41;

/** Reads bits from the end of a packet backwards. */
function bitsFromEnd(bytes: Buffer) {
  let at = bytes.length * 8;
  return {
    get left() {
      return at;
    },
    take(count: number): number {
      let value = 0;
      for (let bit = 0; bit < count; bit += 1) {
        at -= 1;
        value = value * 2 + (((bytes[at >> 3] ?? 0) >> (at & 7)) & 1);
      }
      return value;
    },
    back(count: number) {
      at += count;
    },
  };
}

/**
 * Which of the two block lengths each mode uses. Modes are at the end of the setup header, whose beginning would have
 * to be decoded, so they are read backwards as long as they look like modes.
 */
function modesIn(setup: Buffer): readonly boolean[] | undefined {
  const end = setup.findLastIndex((byte) => byte !== 0) + 1;
  const bits = bitsFromEnd(setup.subarray(0, end));
  while (bits.left > 0 && bits.take(1) === 0);
  const longs: boolean[] = [];
  let found = 0;
  while (bits.left >= modeBits && longs.length < mostModes) {
    const mapping = bits.take(8);
    const [transform, window] = [bits.take(16), bits.take(16)];
    if (mapping > 63 || transform !== 0 || window !== 0) break;
    longs.unshift(bits.take(1) === 1);
    // The number of modes precedes the first mode.
    if (bits.left >= 6) {
      const count = bits.take(6) + 1;
      if (count === longs.length) found = count;
      bits.back(6);
    }
  }
  return found > 0 ? longs.slice(-found) : undefined;
}

/** Parses the headers; undefined if they are invalid. */
export function vorbisClock(identification: Buffer, setup: Buffer): VorbisClock | undefined {
  if (identification.length < 30 || setup.length < 16) return undefined;
  const sampleRate = identification.readUInt32LE(12);
  const sizes = identification[28] ?? 0;
  const [short, long] = [1 << (sizes & 15), 1 << (sizes >> 4)];
  const modes = modesIn(setup);
  if (!modes || sampleRate === 0 || short < 64 || long > 8192 || long < short) return undefined;
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
