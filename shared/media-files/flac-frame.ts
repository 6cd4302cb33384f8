/** Parses the headers of FLAC frames, each of which has its own checksum. */

const crcTable = Uint8Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 255 : crc << 1;
  return crc;
});

export interface FlacFrame {
  readonly samples: number;
  /** 0 if the stream's own rate applies. */
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

/** The frame header at a position; undefined if there is none. */
export function flacFrameAt(bytes: Buffer, at: number): FlacFrame | undefined {
  if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xfe) !== 0xf8) return undefined;
  const [third = 0, fourth = 0, fifth = 0] = bytes.subarray(at + 2, at + 5);
  const [sizeCode, rateCode] = [third >> 4, third & 15];
  if (sizeCode === 0 || rateCode === 15 || fourth >> 4 > 10 || (fourth & 1) === 1) return undefined;
  const number = numberBytes(fifth);
  if (number === 0) return undefined;
  const sizeAt = at + 4 + number;
  const rateAt = sizeAt + (sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0);
  const end = rateAt + (rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0);
  if (end >= bytes.length) return undefined;
  let crc = 0;
  for (let byte = at; byte < end; byte += 1) crc = crcTable[crc ^ (bytes[byte] ?? 0)] ?? 0;
  if (crc !== bytes[end]) return undefined;
  return { samples: samplesIn(bytes, sizeCode, sizeAt), sampleRate: rateIn(bytes, rateCode, rateAt) };
}
