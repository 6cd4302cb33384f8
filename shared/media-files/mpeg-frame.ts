/** Parses frame headers of MPEG audio (MP3) and of AAC in ADTS. */
import { aacRates, channelCounts, maxBytesPerChannel } from './aac-config.ts';

export interface AdtsHead {
  readonly bytes: number;
  readonly rateIndex: number;
  /** The object type; that of AAC-LC is 2. */
  readonly type: number;
  /** The number of raw data blocks in the frame. */
  readonly blocks: number;
}

export interface FrameHead {
  readonly bytes: number;
  readonly samples: number;
  readonly sampleRate: number;
  readonly isMp3: boolean;
  readonly isAdts: boolean;
  /** The header of a frame of AAC, which says how to read the rest of the frame. */
  readonly adts?: AdtsHead;
  /** Whether an AAC frame is larger than the format allows: decoders play all frames in it. */
  readonly isTooLarge: boolean;
}

const kilobits = {
  // Bit rates by MPEG version (1 or later), then by layer.
  first: [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ],
  later: [
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ],
} as const;
const firstRates = [44_100, 48_000, 32_000] as const;

/** The fields in the second and third bytes of a header. */
function mpegHead(second: number, third: number): FrameHead | undefined {
  const [version, layerBits] = [(second >> 3) & 3, (second >> 1) & 3];
  const rate = firstRates[(third >> 2) & 3];
  if (version === 1 || layerBits === 0 || rate === undefined) return undefined;
  const layer = 4 - layerBits;
  const isFirst = version === 3;
  const kilobit = kilobits[isFirst ? 'first' : 'later'][layer - 1]?.[third >> 4] ?? 0;
  if (kilobit === 0) return undefined;
  const sampleRate = rate / (isFirst ? 1 : version === 2 ? 2 : 4);
  const samples = layer === 1 ? 384 : layer === 3 && !isFirst ? 576 : 1152;
  const padding = (third >> 1) & 1;
  const bytes =
    layer === 1
      ? (Math.floor((12_000 * kilobit) / sampleRate) + padding) * 4
      : Math.floor((samples * 125 * kilobit) / sampleRate) + padding;
  return { bytes, samples, sampleRate, isMp3: layer === 3, isAdts: false, isTooLarge: false };
}

const mpegHeads = Array.from({ length: 32 * 256 }, (_, index) => mpegHead(0xe0 | (index >> 8), index & 255));

/** The longest header, plus a few bytes by which encoders exceed the largest frame. */
const toleratedBytes = 64;

function adtsHead(bytes: Buffer, at: number): FrameHead | undefined {
  const byte = (index: number) => bytes[at + index] ?? 0;
  const rateIndex = (byte(2) >> 2) & 15;
  const sampleRate = aacRates[rateIndex];
  const length = ((byte(3) & 3) << 11) | (byte(4) << 3) | (byte(5) >> 5);
  if (sampleRate === undefined || length < 7) return undefined;
  const channels = channelCounts[((byte(2) & 1) << 2) | (byte(3) >> 6)] ?? 8;
  const blocks = (byte(6) & 3) + 1;
  const isTooLarge = length > toleratedBytes + blocks * channels * maxBytesPerChannel;
  const adts = { bytes: byte(1) & 1 ? 7 : 9, rateIndex, type: (byte(2) >> 6) + 1, blocks };
  return { bytes: length, samples: 1024 * blocks, sampleRate, isMp3: false, isAdts: true, adts, isTooLarge };
}

export const frameHeadBytes = 7;

/** The frame header at a position with enough bytes in view; undefined if there is none. */
export function frameHeadAt(bytes: Buffer, at: number): FrameHead | undefined {
  if (bytes[at] !== 0xff) return undefined;
  const second = bytes[at + 1] ?? 0;
  if ((second & 0xf6) === 0xf0) return adtsHead(bytes, at);
  return second < 0xe0 ? undefined : mpegHeads[((second & 31) << 8) | (bytes[at + 2] ?? 0)];
}
