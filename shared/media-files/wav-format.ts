/** Parses the sample format of a WAV, whose numbers must all agree. */
import { contradictory, unmeasurable, unreadable } from './media-fault.ts';

export interface WavFormat {
  readonly sampleRate: number;
  /** The bytes of one sample on all channels. */
  readonly blockBytes: number;
}

/** The allowed sample sizes in bits: PCM, floating point, A-law and µ-law. */
const bitsOf: Readonly<Record<number, readonly number[]>> = { 1: [8, 16, 24, 32], 3: [32, 64], 6: [8], 7: [8] };
const extensible = 0xfffe;
const extensibleBytes = 40;
/** The last bytes of the identifiers that begin with the number of a codec. */
const subFormatTail = '000000001000800000aa00389b71';

interface Codec {
  readonly codec: number;
  /** How many bits of each sample decoders use. */
  readonly validBits: number;
}

/** The codec of the format. @throws {MediaFault} unreadable, unmeasurable */
function codecIn(content: Buffer, bits: number): Codec {
  const tag = content.readUInt16LE(0);
  if (tag !== extensible) return { codec: tag, validBits: bits };
  if (content.length < extensibleBytes || content.readUInt16LE(16) < 22) throw unreadable();
  if (content.toString('hex', 26, 40) !== subFormatTail) throw unmeasurable('WAV format of another kind');
  return { codec: content.readUInt16LE(24), validBits: content.readUInt16LE(18) || bits };
}

/** Parses the format. @throws {MediaFault} unreadable, unmeasurable, contradictory */
export function wavFormatIn(content: Buffer): WavFormat {
  if (content.length < 16) throw unreadable();
  const [channels, sampleRate] = [content.readUInt16LE(2), content.readUInt32LE(4)];
  const [declaredBytes, blockAlign, bits] = [
    content.readUInt32LE(8),
    content.readUInt16LE(12),
    content.readUInt16LE(14),
  ];
  const { codec, validBits } = codecIn(content, bits);
  const knownBits = bitsOf[codec];
  if (!knownBits) throw unmeasurable(`WAV format ${codec}`);
  if (channels === 0 || sampleRate === 0) throw unreadable();
  // Some decoders treat the valid bits as the sample size, except for 24 bits in 32.
  const isFilled = Math.ceil(validBits / 8) * 8 === bits || (codec === 1 && validBits === 24 && bits === 32);
  if (!knownBits.includes(bits) || !isFilled) {
    throw contradictory(`declares samples of ${bits} bits, of which ${validBits} are valid: export it again`);
  }
  const blockBytes = channels * (bits / 8);
  if (blockAlign !== blockBytes) {
    throw contradictory(`declares blocks of ${blockAlign} bytes for samples of ${blockBytes}: export it again`);
  }
  const bytesPerSecond = blockBytes * sampleRate;
  if (declaredBytes && Math.abs(declaredBytes / bytesPerSecond - 1) > 0.05) {
    throw contradictory(`declares ${declaredBytes} bytes per second for samples of ${bytesPerSecond}: export it again`);
  }
  return { sampleRate, blockBytes };
}
