/** Finds FLAC frames by their headers, each of which has its own checksum. */
import { unreadable } from './media-fault.ts';
import type { Work } from './work.ts';

const crcTable = Uint8Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 255 : crc << 1;
  return crc;
});

/** What STREAMINFO says of all frames; decoders reject frames that contradict it. */
export interface FlacStream {
  readonly sampleRate: number;
  readonly bits: number;
  /** The most samples in one frame. */
  readonly maxSamples: number;
  /** The samples of the whole stream; 0 if the header does not say. */
  readonly samples: number;
}

/** Parses the STREAMINFO block. @throws {MediaFault} unreadable */
export function flacStreamIn(content: Buffer): FlacStream {
  if (content.length < 18) throw unreadable();
  const numbers = content.readUInt32BE(10);
  const sampleRate = numbers >>> 12;
  // The limits of RFC 9639, section 8.2; decoders do not recognize a stream that exceeds them.
  const [min, max] = [content.readUInt16BE(0), content.readUInt16BE(2)];
  if (sampleRate === 0 || sampleRate > 655_350 || min < 16 || min > max) throw unreadable();
  return {
    sampleRate,
    bits: ((numbers >> 4) & 31) + 1,
    maxSamples: content.readUInt16BE(2) || 65_536,
    samples: ((content[13] ?? 0) & 15) * 2 ** 32 + content.readUInt32BE(14),
  };
}

interface FlacFrame {
  readonly samples: number;
  /** The frame's own sample rate; 0 if that of the last frame, or else of the stream, applies. */
  readonly sampleRate: number;
}

export const longestFlacHead = 16;

const rates = [0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];

/** The length in bytes of the UTF-8-like coded frame number; 0 if it is invalid. */
function numberBytes(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc0 || first === 0xff) return 0;
  return Math.clz32(~(first << 24));
}

function samplesIn(bytes: Buffer, code: number, at: number): number {
  if (code === 1) return 192;
  if (code <= 5) return 576 << (code - 2);
  if (code === 6) return (bytes[at] ?? 0) + 1;
  return code === 7 ? (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)) + 1 : 256 << (code - 8);
}

function rateIn(bytes: Buffer, code: number, at: number): number {
  if (code < 12) return rates[code] ?? 0;
  if (code === 12) return (bytes[at] ?? 0) * 1000;
  return (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)) * (code === 14 ? 10 : 1);
}

/** The bits per sample, by the code in a frame header; 0 if the stream's value applies. */
const sampleBits = [0, 8, 12, -1, 16, 20, 24, 32];

/** The frame header at a position; undefined if there is none that decoders accept. @throws {MediaFault} excessive */
function flacFrameAt(bytes: Buffer, at: number, { bits, maxSamples }: FlacStream, work: Work): FlacFrame | undefined {
  if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xfe) !== 0xf8) return undefined;
  const [third = 0, fourth = 0, fifth = 0] = [bytes[at + 2], bytes[at + 3], bytes[at + 4]];
  const [sizeCode, rateCode] = [third >> 4, third & 15];
  if (sizeCode === 0 || rateCode === 15 || fourth >> 4 > 10 || (fourth & 1) === 1) return undefined;
  const ownBits = sampleBits[(fourth >> 1) & 7] ?? 0;
  if (ownBits !== 0 && ownBits !== bits) return undefined;
  const number = numberBytes(fifth);
  if (number === 0) return undefined;
  const sizeAt = at + 4 + number;
  const rateAt = sizeAt + (sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0);
  const end = rateAt + (rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0);
  if (end >= bytes.length) return undefined;
  work.visit();
  let crc = 0;
  for (let byte = at; byte < end; byte += 1) crc = crcTable[crc ^ (bytes[byte] ?? 0)] ?? 0;
  if (crc !== bytes[end]) return undefined;
  const samples = samplesIn(bytes, sizeCode, sizeAt);
  return samples > maxSamples ? undefined : { samples, sampleRate: rateIn(bytes, rateCode, rateAt) };
}

export interface FlacFrames {
  readonly frames: number;
  readonly samples: number;
  /** The duration, each frame at its own rate. */
  readonly seconds: number;
  /** The rate of the last frame. */
  readonly sampleRate: number;
}

/** How many positions with the first byte of a frame header count as one element of work. */
const marksOfElement = 4;

/**
 * Counts the frames that begin between two positions; compressed bytes occasionally look like a header. @throws
 * {MediaFault} excessive
 */
export function flacFramesIn(
  bytes: Buffer,
  { from, to }: { readonly from: number; readonly to: number },
  stream: FlacStream,
  lastRate: number,
  work: Work,
): FlacFrames {
  let [frames, samples, seconds, sampleRate] = [0, 0, 0, lastRate];
  const part = bytes.subarray(0, to);
  for (let at = part.indexOf(0xff, from); at >= 0; at = part.indexOf(0xff, at + 1)) {
    work.visit(1 / marksOfElement);
    const frame = flacFrameAt(bytes, at, stream, work);
    if (!frame) continue;
    frames += 1;
    samples += frame.samples;
    sampleRate = frame.sampleRate || sampleRate;
    seconds += frame.samples / sampleRate;
  }
  return { frames, samples, seconds, sampleRate };
}
