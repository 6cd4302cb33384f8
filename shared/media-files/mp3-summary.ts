/**
 * Parses the summary that many encoders put into the first frame of an MP3, as defined by Xing and extended by LAME, or
 * as defined by Fraunhofer.
 */
import { bytesAt, type Walk } from './file-walk.ts';

export interface Mp3Summary {
  /** The number of frames after this one; 0 if it is not given. */
  readonly frames: number;
  /** The number of bytes from the first frame on; 0 if it is not given. */
  readonly soundBytes: number;
  /** The samples that the encoder added before and after the audio; 0 if they are not given. */
  readonly paddingSamples: number;
}

export interface Mp3Start {
  /** The position of the first frame. */
  readonly soundAt: number;
  /** The end of what has been read. */
  readonly end: number;
  readonly hasFrames: boolean;
  readonly summary: Mp3Summary | undefined;
}

const tagHeaderBytes = 10;
/** Enough for the longest summary, wherever it begins. */
const frameBytes = 192;

/** A number in the lower seven bits of each byte. */
const tagSize = (bytes: Uint8Array): number => bytes.reduce((size, byte) => size * 128 + (byte & 127), 0);

/** The fields that each flag announces, in this order, with their lengths. */
const parts = { frames: 4, bytes: 4, contents: 100, quality: 4 } as const;
const summaryHeaderBytes = 8;

const lamePaddingAt = 21;
/** Other encoders use these bytes for audio. */
const lameEncoders = /^(?:LAME|Lav[cf]|L3\.99)/;

/** The layout of Fraunhofer's summary, at a fixed position. */
const fraunhofer = { name: 'VBRI', at: 36, soundBytes: 10, frames: 14, length: 18 } as const;

function fraunhoferSummaryIn(frame: Buffer): Mp3Summary | undefined {
  const summary = frame.subarray(fraunhofer.at);
  if (summary.length < fraunhofer.length || summary.toString('latin1', 0, 4) !== fraunhofer.name) return undefined;
  const [soundBytes, frames] = [summary.readUInt32BE(fraunhofer.soundBytes), summary.readUInt32BE(fraunhofer.frames)];
  return { frames, soundBytes, paddingSamples: 0 };
}

/** The summary in the first frame; undefined if the frame contains audio. */
export function summaryIn(frame: Buffer): Mp3Summary | undefined {
  const at = Math.max(frame.indexOf('Xing'), frame.indexOf('Info'));
  if (at < 0) return fraunhoferSummaryIn(frame);
  if (frame.length < at + 2 * summaryHeaderBytes) return undefined;
  const summary = frame.subarray(at);
  const flags = summary.readUInt32BE(4);
  let end = summaryHeaderBytes;
  let [frames, soundBytes] = [0, 0];
  for (const [index, [name, size]] of Object.entries(parts).entries()) {
    if (!(flags & (1 << index))) continue;
    if (name === 'frames') frames = summary.readUInt32BE(end);
    if (name === 'bytes') soundBytes = summary.readUInt32BE(end);
    end += size;
  }
  const hasPadding = lameEncoders.test(summary.toString('latin1', end, end + 9)) && summary.length >= end + 24;
  const padding = hasPadding ? summary.readUIntBE(end + lamePaddingAt, 3) : 0;
  return { frames, soundBytes, paddingSamples: (padding >> 12) + (padding & 0xfff) };
}

/** Finds the first frame; `head` is what has been read of the file's beginning. */
export function* mp3Start(head: Buffer): Walk<Mp3Start> {
  let [soundAt, readTo] = [0, head.length];
  if (head.toString('latin1', 0, 3) === 'ID3') {
    soundAt = tagHeaderBytes + tagSize(Buffer.concat([head.subarray(6), yield* bytesAt(readTo, 2)]));
    readTo = soundAt;
  }
  const frame = yield* bytesAt(readTo, frameBytes);
  return { soundAt, end: readTo + frame.length, hasFrames: frame.length > 0, summary: summaryIn(frame) };
}
