/**
 * Parses the summary that many encoders put into the first frame of an MP3, as defined by Xing and extended by LAME, or
 * as defined by Fraunhofer.
 */

export interface Mp3Summary {
  /** The number of frames after this one; 0 if it is not given. */
  readonly frames: number;
  /** The number of bytes from the first frame on; 0 if it is not given. */
  readonly soundBytes: number;
  /** The samples that the encoder added before and after the audio; 0 if they are not given. */
  readonly paddingSamples: number;
}

/** The fields that each flag announces, in this order, with their lengths. */
const parts = { frames: 4, bytes: 4, contents: 100, quality: 4 } as const;
const summaryHeaderBytes = 8;

const lamePaddingAt = 21;
/** The encoders that store padding in these bytes; other encoders store audio there. */
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
