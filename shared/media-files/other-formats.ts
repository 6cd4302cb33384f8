/**
 * Detects another format at the beginning of a file that decoders would recognize instead: they examine two kilobytes
 * first, then twice as many each time, until they are sure enough.
 */

export const firstProbe = 2048;

const hex = (marks: string): readonly Buffer[] => marks.split(' ').map((mark) => Buffer.from(mark, 'hex'));

/** Signatures of NUT and MXF, which decoders prefer to MP4, WAV and MP3 or ADTS frames, wherever they begin. */
const sureMarks = hex('4e4d7a561f5f04ad 060e2b34020501010d010201');
/**
 * The signature of NSV, which decoders prefer to MP3 or ADTS frames: 32 KB of random bytes contain it in one of 100,000
 * files.
 */
const preferredMarks = hex('4e535673');
/** Signatures of Mimic and of session descriptions. */
const singleMarks = hex('4d4c3230 633d494e204950');
/** Sync words of DTS, TrueHD, MLP and encoded audio for digital outputs, which other bytes do not repeat. */
const codedMarks = hex('7ffe8001 fe7f0180 1fffe800 ff1f00e8 64582025 f8726fba f8726fbb 72f81f4e');
/** Signatures of JPEG and H.263. */
const pictureMarks = hex('ffd8ff 000080 000081 000082 000083');
const fewestMarks = 3;

export function countOf(bytes: Buffer, mark: Buffer, max: number): number {
  let count = 0;
  for (let at = bytes.indexOf(mark); at >= 0 && count < max; at = bytes.indexOf(mark, at + 1)) count += 1;
  return count;
}

/** The handler of a program stream within a MOV, for which decoders search the rest of the file. */
const programHandler = 'mhlrMPEG';

/** Whether decoders look for another format in a file that begins like an MP4. */
export const isOtherThanMp4 = (probe: Buffer): boolean => hasSureMark(probe) || probe.includes(programHandler);

const packetSizes = [188, 192, 204];
const packetMark = 0x47;
const fewestPackets = 0.5;

/** Whether the sync bytes of a transport stream are where its packets begin, as decoders count them. */
function hasPackets(bytes: Buffer, packetBytes: number): boolean {
  const counts = new Uint16Array(packetBytes);
  let [all, max] = [0, 0];
  for (let at = bytes.indexOf(packetMark); at >= 0; at = bytes.indexOf(packetMark, at + 1)) {
    if (((bytes[at + 3] ?? 0) & 0x30) === 0) continue;
    const count = (counts[at % packetBytes] ?? 0) + 1;
    counts[at % packetBytes] = count;
    all += 1;
    max = Math.max(max, count);
  }
  return max - Math.max(0, all - 10 * max) / 10 > (fewestPackets * bytes.length) / packetBytes;
}

const isTransportStream = (probe: Buffer): boolean =>
  probe.length > 2 * fewestMarks * 188 && packetSizes.some((packetBytes) => hasPackets(probe, packetBytes));

/**
 * Whether a format begins here that decoders prefer to an MP4 or a WAV. Decoders are more certain of these formats than
 * of a transport stream.
 */
export const hasSureMark = (probe: Buffer): boolean => sureMarks.some((mark) => probe.includes(mark));

const [startCode, avsStart] = [Buffer.from('000001', 'hex'), Buffer.from('000001b020', 'hex')];

/** Counting more start codes than this would not change the decision. */
const maxStartCodes = 65_536;

/** How often each byte follows a start code of video or of a program stream. */
function startCodesIn(probe: Buffer) {
  const counts = new Uint32Array(256);
  let total = 0;
  for (let at = probe.indexOf(startCode); at >= 0 && total < maxStartCodes; at = probe.indexOf(startCode, at + 3)) {
    const code = probe[at + 3] ?? 0;
    counts[code] = (counts[code] ?? 0) + 1;
    total += 1;
  }
  const sum = (is: (code: number) => boolean) =>
    counts.reduce((found, count, code) => (is(code) ? found + count : found), 0);
  const count = (low: number, high = low, mask = 0xff) => sum((code) => (code & mask) >= low && (code & mask) <= high);
  const has = (...kinds: readonly number[]) => kinds.every((kind) => count(kind) > 0);
  const every = (is: (code: number) => boolean) => sum(is) === total;
  return { total, count, has, every };
}

type StartCodes = ReturnType<typeof startCodesIn>;

/**
 * Whether a format begins here that decoders prefer to frames of MP3 or ADTS. Start codes of single video codecs do not
 * count, only those of a program stream.
 */
export function isPreferredToFrames(probe: Buffer): boolean {
  return isPreferred(probe, startCodesIn(probe));
}

function isPreferred(probe: Buffer, { count }: StartCodes): boolean {
  if (count(0xba) > 2 || count(0xe0, 0xef) > 6 || count(0xc0, 0xdf) > 12) return true;
  return hasSureMark(probe) || isTransportStream(probe) || preferredMarks.some((mark) => probe.includes(mark));
}

/**
 * Whether there are the start codes of all units that decoders require of H.264, HEVC, MPEG-4, MPEG-1 or 2, VC-1 or
 * AVS. Random bytes contain one start code in 16 MB; frames of pure tones may repeat some start codes, but not all of
 * those of a format.
 */
function hasVideo(probe: Buffer, { total, count, has, every }: StartCodes): boolean {
  if (total < fewestMarks) return false;
  // In H.264, parameter sets and key frames are referred to by others, so one of the bits 0x60 is set.
  const isH264 =
    every((code) => code < 0x80 && (code > 0x1f || ![5, 7, 8].includes(code))) &&
    count(7, 7, 31) > 0 &&
    count(8, 8, 31) > 0 &&
    (count(5, 5, 31) > 0 || count(1, 1, 31) > 3);
  const isHevc = every((code) => (code & 0x81) === 0) && has(0x40, 0x42, 0x44);
  const isMpeg4 = count(0x20, 0x2f) > 0 && count(0, 0x1f) > 0 && has(0xb6) && total > 5;
  const isMpeg2 = has(0xb3) && count(0) > 1 && count(1, 0xaf) > 1;
  const isVc1 = has(0x0d, 0x0e, 0x0f);
  const isAvs = probe.includes(avsStart) && has(0xb0) && (has(0xb3) || has(0xb6));
  return isH264 || isHevc || isMpeg4 || isMpeg2 || isVc1 || isAvs;
}

/** Whether a format begins here that decoders recognize before they recognize frames. */
export function isOtherThanFrames(probe: Buffer): boolean {
  const startCodes = startCodesIn(probe);
  return (
    isPreferred(probe, startCodes) ||
    hasVideo(probe, startCodes) ||
    singleMarks.some((mark) => probe.includes(mark)) ||
    [...codedMarks, ...pictureMarks].some((mark) => countOf(probe, mark, fewestMarks) === fewestMarks)
  );
}
