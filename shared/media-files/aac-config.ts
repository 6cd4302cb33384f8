/** Determines the duration of AAC frames from the decoder configuration. */

export interface FrameClock {
  /** Samples per channel in each frame. */
  readonly frameSamples: number;
  readonly sampleRate: number;
  readonly channels: number;
  /** The most bytes of one frame. A larger sample contains several frames, all of which decoders play. */
  readonly maxFrameBytes: number;
  /** The index of the sample rate; present if decoders play all frames of a sample, however large the sample is. */
  readonly rateIndex?: number;
}

/** The most bytes of a frame per channel (ISO/IEC 14496-3, 4.5.3). */
export const maxBytesPerChannel = 6144 / 8;
/**
 * The number of channels of each configuration; 0 means that the file describes them elsewhere, so the maximum is
 * assumed.
 */
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

const objectTypes = {
  lowComplexity: 2,
  sbr: 5,
  resilient: 17,
  lowDelay: 23,
  parametricStereo: 29,
  enhancedLowDelay: 39,
};
/** Object types of which decoders play one frame per sample. */
const singleTypes = [objectTypes.resilient, objectTypes.lowDelay, objectTypes.enhancedLowDelay];

/** The number of an object type, such as 2 in `mp4a.40.2`. */
export const aacType = (config: Uint8Array): number => objectTypeIn(bitsOf(config));

function objectTypeIn(bits: ReturnType<typeof bitsOf>): number {
  const type = bits(5);
  return type === 31 ? 32 + bits(6) : type;
}

/**
 * Parses an AudioSpecificConfig; undefined if its frames have no fixed length, or are of a kind that encoders do not
 * use any more (Main, SSR, LTP, and 960 samples per frame). With spectral band replication, frames have twice the
 * samples at twice the rate, so their duration is that of the core frames.
 */
export function aacClock(config: Uint8Array): FrameClock | undefined {
  const bits = bitsOf(config);
  let type = objectTypeIn(bits);
  const rateIndex = bits(4);
  const sampleRate = aacRates[rateIndex];
  const channels = bits(4);
  if (type === objectTypes.sbr || type === objectTypes.parametricStereo) {
    if (bits(4) === 15) bits(24);
    type = objectTypeIn(bits);
  }
  // Decoders know only the rates that have an index.
  if (config.length < 2 || sampleRate === undefined) return undefined;
  const isShort = bits(1) === 1;
  const clock = { sampleRate, channels, maxFrameBytes: maxBytesPerChannel * (channelCounts[channels] ?? 8) };
  if (type === objectTypes.lowComplexity) return isShort ? undefined : { ...clock, frameSamples: 1024, rateIndex };
  if (!singleTypes.includes(type)) return undefined;
  const frameSamples = isShort ? 960 : 1024;
  return { ...clock, frameSamples: type === objectTypes.resilient ? frameSamples : frameSamples / 2 };
}
