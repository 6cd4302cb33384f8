/** Computes the duration of an MP3 file from its frame headers. */

const kilobitsVersion1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const kilobitsVersion2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const samplesPerSecondVersion1 = [44_100, 48_000, 32_000];
/** By the version's two bits: MPEG 2.5, none, MPEG 2, MPEG 1. */
const rateDivisors = [4, undefined, 2, 1];
const layer3 = 1;
const idHeaderBytes = 10;
const trailingTagBytes = 128;

interface Frame {
  readonly bytes: number;
  readonly seconds: number;
}

/** Parses the four bytes of a frame header; undefined if it is not a layer III frame. */
function frameOf(header: number): Frame | undefined {
  const bits = (shift: number, count: number) => (header >>> shift) & (2 ** count - 1);
  const divisor = rateDivisors[bits(19, 2)];
  if (bits(21, 11) !== 0x7ff || divisor === undefined || bits(17, 2) !== layer3) return undefined;
  const kilobits = (divisor === 1 ? kilobitsVersion1 : kilobitsVersion2)[bits(12, 4)];
  const fullRate = samplesPerSecondVersion1[bits(10, 2)];
  if (!kilobits || !fullRate) return undefined;
  const samples = divisor === 1 ? 1152 : 576;
  const samplesPerSecond = fullRate / divisor;
  const bytes = Math.floor((samples / 8) * ((kilobits * 1000) / samplesPerSecond)) + bits(9, 1);
  return { bytes, seconds: samples / samplesPerSecond };
}

/** The start of the audio, after an ID3v2 tag, whose size has seven bits per byte. */
function startOfSound(file: Buffer): number {
  if (file.toString('latin1', 0, 3) !== 'ID3' || file.length < idHeaderBytes) return 0;
  return idHeaderBytes + file.subarray(6, 10).reduce((size, byte) => size * 128 + byte, 0);
}

/** An encoder's metadata is stored as a first, silent frame. */
const isNote = (frame: Buffer): boolean => /Xing|Info/.test(frame.toString('latin1', 0, 40));

/**
 * The duration in seconds.
 * @throws {Error} unless the file consists of complete MPEG layer III frames from its beginning (or ID3 tag) to its
 * end.
 */
export function mp3Duration(file: Buffer): number {
  const end = file.toString('latin1').slice(-trailingTagBytes).startsWith('TAG')
    ? file.length - trailingTagBytes
    : file.length;
  let seconds = 0;
  let position = startOfSound(file);
  while (position < end) {
    const frame = position + 4 <= end ? frameOf(file.readUInt32BE(position)) : undefined;
    if (!frame) throw new Error(`not an MP3: no frame begins at byte ${position}`);
    if (position + frame.bytes > end) throw new Error('not a complete MP3: its last frame is truncated');
    if (!isNote(file.subarray(position, position + frame.bytes))) seconds += frame.seconds;
    position += frame.bytes;
  }
  if (seconds === 0) throw new Error('not an MP3: it has no audio');
  return seconds;
}
