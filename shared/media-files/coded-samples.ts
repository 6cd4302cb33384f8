/** Detects encoded audio in a WAV that declares plain samples: decoders look for it and would decode it. */
import { frameHeadAt, frameHeadBytes } from './mpeg-frame.ts';
import { codedMarks, countOf, fewestMarks } from './other-formats.ts';

/**
 * How many consecutive frames count as encoded audio: at the beginning, and elsewhere, where periodic samples may look
 * like frames.
 */
const fewestFirst = 4;
const fewestAnywhere = 50;

const dolbyKilobits = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640] as const;
const dolbyRates = [48_000, 44_100, 32_000] as const;

/** The length of an AC-3 or E-AC-3 frame at this position; 0 if there is none. */
function dolbyBytes(bytes: Buffer, at: number): number {
  const [fifth, sixth] = [bytes[at + 4] ?? 0, bytes[at + 5] ?? 0];
  if (sixth >> 3 > 10) return (bytes.readUInt16BE(at + 2) & 0x7ff) * 2 + 2;
  const [rate, kilobit] = [dolbyRates[fifth >> 6], dolbyKilobits[(fifth & 63) >> 1]];
  if (rate === undefined || kilobit === undefined) return 0;
  return 2 * (Math.floor((96_000 * kilobit) / rate) + (rate === 44_100 ? fifth & 1 : 0));
}

/** The length of a frame of any codec at this position; 0 if there is none. */
function frameBytesAt(bytes: Buffer, at: number): number {
  const [first, second] = [bytes[at], bytes[at + 1] ?? 0];
  if (first === 0xff) return frameHeadAt(bytes, at)?.bytes ?? 0;
  if (first === 0x0b && second === 0x77) return dolbyBytes(bytes, at);
  // The length field of a LATM frame excludes its header.
  return first === 0x56 && second >> 5 === 7 ? (((second & 31) << 8) | (bytes[at + 2] ?? 0)) + 3 : 0;
}

/** Whether plain samples contain frames of another codec; scans once, from end to start. */
export function hasCodedFrames(bytes: Buffer): boolean {
  if (codedMarks.some((mark) => countOf(bytes, mark, fewestMarks) === fewestMarks)) return true;
  const chains = new Uint16Array(bytes.length);
  let first = 0;
  while (first < bytes.length && bytes[first] === 0) first += 1;
  for (let at = bytes.length - frameHeadBytes; at >= 0; at -= 1) {
    const length = frameBytesAt(bytes, at);
    if (length === 0) continue;
    const chain = Math.min(fewestAnywhere, 1 + (chains[at + length] ?? 0));
    chains[at] = chain;
    if (chain >= fewestAnywhere || (chain >= fewestFirst && (at === first || at === 0))) return true;
  }
  return false;
}
