/** Determines the duration of AAC frames from the decoder configuration. */

export interface FrameClock {
  /** Samples per channel in each frame. */
  readonly frameSamples: number;
  readonly sampleRate: number;
  readonly channels: number;
  /**
   * The most bytes of one frame. A larger sample contains several frames, which decoders play; only decoding reveals
   * how many.
   */
  readonly maxFrameBytes: number;
}

/** The most bytes of a frame per channel (ISO/IEC 14496-3, 4.5.3). */
export const maxBytesPerChannel = 6144 / 8;
/** The channels of each configuration; 0 means that they are described elsewhere, so the maximum applies. */
export const channelCounts = [8, 1, 2, 3, 4, 5, 6, 8];

export const aacRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
] as const;

/** Reads bit fields. */
function bitsOf(bytes: Uint8Array) {
  let at = 0;
  return (count: number): number => {
    let value = 0;
    for (let bit = 0; bit < count; bit += 1, at += 1) {
      value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    }
    return value;
  };
}

const objectTypes = { sbr: 5, parametricStereo: 29, lowDelay: 23, enhancedLowDelay: 39 } as const;
/** Object types whose frames always have 1024 or 960 samples. */
const plainTypes = new Set([1, 2, 3, 4, 6, 17, 19, 20]);

/**
 * Parses an AudioSpecificConfig; undefined if its frames have no fixed length. With spectral band replication, frames
 * have twice the samples at twice the rate, so their duration is that of the core frames.
 */
export function aacClock(config: Uint8Array): FrameClock | undefined {
  const bits = bitsOf(config);
  const typeIn = () => {
    const type = bits(5);
    return type === 31 ? 32 + bits(6) : type;
  };
  const rateIn = () => {
    const index = bits(4);
    return index === 15 ? bits(24) : (aacRates[index] ?? 0);
  };
  let type = typeIn();
  const sampleRate = rateIn();
  const channels = bits(4);
  if (type === objectTypes.sbr || type === objectTypes.parametricStereo) {
    rateIn();
    type = typeIn();
  }
  if (config.length < 2 || sampleRate === 0) return undefined;
  const isShort = bits(1) === 1;
  const maxFrameBytes = maxBytesPerChannel * (channelCounts[channels] ?? 8);
  if (plainTypes.has(type)) return { frameSamples: isShort ? 960 : 1024, sampleRate, channels, maxFrameBytes };
  const isLowDelay = type === objectTypes.lowDelay || type === objectTypes.enhancedLowDelay;
  return isLowDelay ? { frameSamples: isShort ? 480 : 512, sampleRate, channels, maxFrameBytes } : undefined;
}
