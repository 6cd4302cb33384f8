/** Determines the duration of an audio track's samples from its codec, not from the container's clock. */
import { aacClock, aacType, type FrameClock } from './aac-config.ts';
import { aacCheck, refuseOwnHeader, severalFrames } from './aac-packet.ts';
import { amrCheck, amrRates, longestAmrFrame } from './amr-frames.ts';
import { contradictory, MediaFault, unmeasurable, unreadable } from './media-fault.ts';
import { childrenOf, sampleEntry } from './mp4-boxes.ts';
import type { Work } from './work.ts';

export interface SampleCheck {
  /** Checks the beginning of a sample. @throws {MediaFault} contradictory */
  readonly head: (sample: Uint8Array) => void;
  /** Checks all of a sample, which takes longer. @throws {MediaFault} contradictory */
  readonly all: (sample: Uint8Array) => void;
}

/**
 * How to measure samples: frames of a fixed length, plain samples of a number of bytes, or the container's declaration.
 */
export type SoundClock =
  | (FrameClock & {
      readonly kind: 'frames';
      /** How to check that a sample has no more frames than it counts for; undefined if its size ensures that. */
      readonly check?: SampleCheck;
    })
  | { readonly kind: 'samples'; readonly sampleRate: number; readonly bytesPerSample: number }
  | { readonly kind: 'declared' };

export interface SoundReading {
  /** Whether to trust the container's declaration if a codec cannot be measured. */
  readonly takesDeclaredSound: boolean;
}

interface SoundEntry {
  readonly codec: string;
  readonly channels: number;
  readonly bits: number;
  readonly sampleRate: number;
  /** How many samples a packet has. */
  readonly packed: number;
  /** The boxes in the sample entry. */
  readonly rest: Buffer;
}

/** The single sample entry; several are rejected, because a change of decoder cannot be measured. */
function entryIn(descriptions: Buffer): SoundEntry {
  if (descriptions.length < 8 + 36) throw unreadable();
  if (descriptions.readUInt32BE(4) !== 1) throw contradictory('contains sound in more than one codec');
  const size = descriptions.readUInt32BE(8);
  if (size < 36 || 8 + size > descriptions.length) throw unreadable();
  const entry = descriptions.subarray(8, 8 + size);
  const codec = entry.toString('latin1', 4, 8);
  const version = entry.readUInt16BE(16);
  // Decoders disagree on whether further fields or boxes follow at this position.
  if (version > 0 && (descriptions[0] !== 0 || /^[ -~]{4}$/.test(entry.toString('latin1', 40, 44)))) {
    throw contradictory('has a description of sound that can be read in two ways');
  }
  if (version === 2) {
    if (entry.length < 72) throw unreadable();
    const [sampleRate, channels, bits] = [entry.readDoubleBE(40), entry.readUInt32BE(48), entry.readUInt32BE(56)];
    return { codec, channels, bits, sampleRate, packed: entry.readUInt32BE(68), rest: entry.subarray(72) };
  }
  const head = version === 1 ? 52 : 36;
  const sampleRate = entry.readUInt32BE(32) / 0x1_0000;
  return {
    codec,
    channels: entry.readUInt16BE(24),
    bits: entry.readUInt16BE(26),
    sampleRate,
    packed: version === 1 && entry.length >= head ? entry.readUInt32BE(36) : 1,
    rest: entry.subarray(Math.min(head, entry.length)),
  };
}

const plainBits: Readonly<Record<string, number>> = {
  'raw ': 8,
  sowt: 16,
  twos: 16,
  in24: 24,
  in32: 32,
  fl32: 32,
  fl64: 64,
  ulaw: 8,
  alaw: 8,
};
/** The bits per sample of PCM whose entry states them: decoders read other depths as one of these. */
const statedBits: Readonly<Record<string, readonly number[]>> = {
  'raw ': [8, 16],
  sowt: [8, 16, 24, 32],
  twos: [8, 16, 24, 32],
  lpcm: [8, 16, 24, 32, 64],
  ipcm: [16, 24, 32],
  fpcm: [32, 64],
};

const maxAmrFrames = 15;
/** The most bytes by which an ALAC frame can exceed its samples. */
const alacHeadBytes = 64;

/** An MPEG-4 descriptor, whose size has seven bits in each byte. */
function descriptorAt(bytes: Buffer, at: number) {
  let [size, next] = [0, at + 1];
  for (let count = 0; count < 4; count += 1, next += 1) {
    const byte = bytes[next] ?? 0;
    size = size * 128 + (byte & 127);
    if (byte < 128) break;
  }
  return { tag: bytes[at], content: next + 1, size };
}

/** The decoder configuration of an `esds`: the object type and the AudioSpecificConfig. */
function decoderIn(esds: Buffer): { readonly type: number; readonly config: Buffer } {
  const stream = descriptorAt(esds, 4);
  if (stream.tag !== 3) throw unreadable();
  const flags = esds[stream.content + 2] ?? 0;
  let at = stream.content + 3 + (flags & 0x80 ? 2 : 0);
  if (flags & 0x40) at += 1 + (esds[at] ?? 0);
  if (flags & 0x20) at += 2;
  const decoder = descriptorAt(esds, at);
  if (decoder.tag !== 4) throw unreadable();
  const specific = descriptorAt(esds, decoder.content + 13);
  const config = esds.subarray(specific.content, specific.content + specific.size);
  return { type: esds[decoder.content] ?? 0, config: specific.tag === 5 ? config : Buffer.alloc(0) };
}

const aacTypes = new Set([0x40, 0x66, 0x67, 0x68]);

type Boxes = ReadonlyMap<string, readonly Buffer[]>;

/**
 * The single decoder configuration, which QuickTime may wrap in another box; several are rejected, because decoders
 * differ in which they use.
 */
function configIn(boxes: Boxes, name: string, work: Work): Buffer | undefined {
  const wave = boxes.get('wave')?.[0];
  const wrapped = wave ? childrenOf('wave', wave, work).get(name) : undefined;
  const found = [...(boxes.get(name) ?? []), ...(wrapped ?? [])];
  if (found.length > 1) throw contradictory(`has two configurations ${name}`);
  return found[0];
}

function aacIn(boxes: Boxes, work: Work): SoundClock {
  const esds = configIn(boxes, 'esds', work);
  if (!esds) throw unmeasurable('mp4a');
  const { type, config } = decoderIn(esds);
  const clock = aacTypes.has(type) ? aacClock(config) : undefined;
  if (!clock) throw unmeasurable(`mp4a.${type.toString(16)}${aacTypes.has(type) ? `.${aacType(config)}` : ''}`);
  const { rateIndex } = clock;
  if (rateIndex === undefined) return { kind: 'frames', ...clock };
  const head = (sample: Uint8Array) => refuseOwnHeader(sample, 0, 'sample');
  return { kind: 'frames', check: { head, all: aacCheck(rateIndex, 'sample') }, ...clock };
}

function alacIn(boxes: Boxes, work: Work): SoundClock {
  const cookie = configIn(boxes, 'alac', work);
  if (!cookie || cookie.length < 28) throw unmeasurable('alac');
  const [frameSamples, bits, channels] = [cookie.readUInt32BE(4), cookie[9] ?? 0, cookie[13] ?? 0];
  const sampleRate = cookie.readUInt32BE(24);
  if (frameSamples === 0 || frameSamples > 65_536 || sampleRate === 0) throw unreadable();
  const maxFrameBytes = frameSamples * channels * Math.ceil(bits / 8) + alacHeadBytes;
  return { kind: 'frames', frameSamples, sampleRate, channels, maxFrameBytes };
}

/** Some phones store several frames per sample and declare how many. Each sample is counted as full. */
function amrIn(codec: string, boxes: Boxes): SoundClock {
  const sampleRate = amrRates[codec] ?? 0;
  const frames = boxes.get('damr')?.[0]?.[8] || 1;
  if (frames > maxAmrFrames) throw unreadable();
  const [frameSamples, maxFrameBytes] = [(frames * sampleRate) / 50, frames * longestAmrFrame];
  const all = amrCheck(codec, frames);
  return { kind: 'frames', frameSamples, sampleRate, channels: 1, maxFrameBytes, check: { head: all, all } };
}

/** Newer boxes that describe plain samples must agree with the sample entry. */
function requireAlike(boxes: Boxes, bits: number, rate: number): void {
  const [format] = boxes.get('pcmC') ?? [];
  const [exactRate] = boxes.get('srat') ?? [];
  const isOtherRate = exactRate && (exactRate.length < 8 || exactRate.readUInt32BE(4) !== rate);
  if (isOtherRate || (format && format[5] !== bits)) throw contradictory('describes its plain samples in two ways');
}

function measuredClockIn({ codec, channels, bits, sampleRate, rest }: SoundEntry, work: Work): SoundClock {
  const boxes = childrenOf(sampleEntry, rest, work);
  if (codec === 'mp4a') return aacIn(boxes, work);
  if (codec === 'alac') return alacIn(boxes, work);
  if (codec in amrRates) return amrIn(codec, boxes);
  const rate = sampleRate;
  if (!(Number.isInteger(rate) && rate >= 1 && rate <= 768_000)) throw unreadable();
  const stated = statedBits[codec];
  const bitsEach = stated && bits > 0 ? bits : plainBits[codec];
  if (bitsEach !== undefined) {
    if (channels < 1 || channels > 255 || (stated && !stated.includes(bitsEach))) throw unreadable();
    requireAlike(boxes, bitsEach, rate);
    return { kind: 'samples', sampleRate: rate, bytesPerSample: channels * Math.ceil(bitsEach / 8) };
  }
  throw unmeasurable(codec.replaceAll(/[^\w.-]/g, '?'));
}

/** Determines how to measure a track. @throws {MediaFault} unmeasurable, unreadable, contradictory */
export function soundClockIn(
  { descriptions, count, units }: { readonly descriptions: Buffer; readonly count: number; readonly units: number },
  { takesDeclaredSound }: SoundReading,
  work: Work,
): SoundClock {
  const entry = entryIn(descriptions);
  try {
    const clock = measuredClockIn(entry, work);
    // If each sample takes one time unit, decoders ignore the sizes and read packets.
    if (count > 0 && units === count && entry.packed > 1) throw contradictory('has samples in packets of another size');
    return clock;
  } catch (error) {
    if (takesDeclaredSound && error instanceof MediaFault && error.kind === 'unmeasurable') return { kind: 'declared' };
    throw error;
  }
}

export interface SampleSizes {
  readonly count: number;
  readonly bytes: number;
  /** The size of the largest sample. */
  readonly maxBytes: number;
}

/** The duration of samples; undefined if only the container declares it. @throws {MediaFault} contradictory */
export function soundSeconds(clock: SoundClock, { count, bytes, maxBytes }: SampleSizes): number | undefined {
  if (clock.kind === 'declared') return undefined;
  if (clock.kind === 'samples') return Math.max(count, bytes / clock.bytesPerSample) / clock.sampleRate;
  if (maxBytes > clock.maxFrameBytes) throw severalFrames('sample');
  return (count * clock.frameSamples) / clock.sampleRate;
}
