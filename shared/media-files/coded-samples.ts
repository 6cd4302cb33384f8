/** Detects encoded audio in a WAV that declares PCM: decoders look for it and would decode it. */
import { frameHeadAt, frameHeadBytes } from './mpeg-frame.ts';
import { countOf } from './other-formats.ts';

/**
 * How many consecutive frames count as encoded audio. At the beginning, decoders require three; elsewhere they require
 * a hundred, because periodic PCM samples may look like frames.
 */
const fewestFirst = 3;
const fewestAnywhere = 50;
/** How many sync words decoders require to detect TrueHD, or encoded audio for digital outputs (S/PDIF). */
const fewestBursts = 2;
const [burstMark, trueHdMark] = [Buffer.from('72f81f4e', 'hex'), Buffer.from('f8726fba', 'hex')];
const fewestDts = 4;

/** Whether a sync word of DTS is at this position: those of 14 bits occur in quiet noise unless more bits follow. */
function isDtsAt(bytes: Buffer, at: number): boolean {
  const [mark, next] = [bytes.readUInt32BE(at), bytes.readUInt16BE(at + 4)];
  if (mark === 0x1fffe800) return (next & 0xfff0) === 0x07f0;
  if (mark === 0xff1f00e8) return (next & 0xf0ff) === 0xf007;
  return mark === 0x7ffe8001 || mark === 0xfe7f0180 || mark === 0x64582025;
}

/** Whether there are as many sync words of DTS as decoders require. Decoders look for them only at even positions. */
function hasDts(bytes: Buffer): boolean {
  let count = 0;
  for (let at = 0; at + 6 <= bytes.length && count < fewestDts; at += 2) if (isDtsAt(bytes, at)) count += 1;
  return count === fewestDts;
}

const dolbyKilobits = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640] as const;
const dolbyRates = [48_000, 44_100, 32_000] as const;
/** A header of some recorders, which decoders skip before each AC-3 or E-AC-3 frame. */
const recorderMark = 0x0110;
const recorderBytes = 16;

/** The length of an AC-3 or E-AC-3 frame at this position, in either byte order; 0 if there is none. */
function dolbyBytes(bytes: Buffer, at: number): number {
  const isSwapped = bytes[at] === 0x77;
  const byte = (index: number) => bytes[at + (isSwapped ? index ^ 1 : index)] ?? 0;
  if (byte(0) !== 0x0b || byte(1) !== 0x77) return 0;
  if (byte(5) >> 3 > 10) return (((byte(2) & 7) << 8) | byte(3)) * 2 + 2;
  const [rate, kilobit] = [dolbyRates[byte(4) >> 6], dolbyKilobits[(byte(4) & 63) >> 1]];
  if (rate === undefined || kilobit === undefined) return 0;
  return 2 * (Math.floor((96_000 * kilobit) / rate) + (rate === 44_100 ? byte(4) & 1 : 0));
}

/** The length of an ADTS frame, by which alone decoders recognize it, even if its sample rate does not exist. */
function adtsBytes(bytes: Buffer, at: number): number {
  const length = (bytes.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
  return length < frameHeadBytes ? 0 : length;
}

/** The length of a frame of any codec at this position; 0 if there is none. */
function frameBytesAt(bytes: Buffer, at: number): number {
  const [first, second] = [bytes[at], bytes[at + 1] ?? 0];
  if (first === 0xff) return (second & 0xf6) === 0xf0 ? adtsBytes(bytes, at) : (frameHeadAt(bytes, at)?.bytes ?? 0);
  if (first === 0x0b || first === 0x77) return dolbyBytes(bytes, at);
  if (first === recorderMark >> 8 && second === (recorderMark & 255)) {
    const length = dolbyBytes(bytes, at + recorderBytes);
    return length === 0 ? 0 : recorderBytes + length;
  }
  // The length field of a LATM frame excludes its header.
  return first === 0x56 && second >> 5 === 7 ? (((second & 31) << 8) | (bytes[at + 2] ?? 0)) + 3 : 0;
}

/** Whether PCM samples contain frames of another codec; scans them once, from end to start. */
export function hasCodedFrames(bytes: Buffer): boolean {
  if (bytes.includes(trueHdMark) || countOf(bytes, burstMark, fewestBursts) === fewestBursts || hasDts(bytes))
    return true;
  // Decoders skip a tag and look for frames behind it.
  if (bytes.toString('latin1', 0, 3) === 'ID3') return true;
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
