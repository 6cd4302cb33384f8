/** Determines the duration of an audio track's samples from its codec, not from the container's clock. */
import { aacClock, aacType, type FrameClock } from './aac-config.ts';
import { aacCheck, refuseOwnHeader, severalFrames } from './aac-packet.ts';
import { amrCheck, amrRates, longestAmrFrame } from './amr-frames.ts';
import { contradictory, MediaFault, unmeasurable, unreadable } from './media-fault.ts';
import { childrenOf, sampleEntry } from './mp4-boxes.ts';
import { decoderIn } from './mp4-decoder.ts';
import { isPlainSound, type PlainClock, type PlainEntry, plainClockIn } from './mp4-plain-sound.ts';
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
      /**
       * How to check that a sample has no more frames than the index counts for it; undefined if its size rules that
       * out.
       */
      readonly check?: SampleCheck;
    })
  | PlainClock
  | { readonly kind: 'declared' };

export interface SoundReading {
  /** Whether to trust the container's declaration if a codec cannot be measured. */
  readonly takesDeclaredSound: boolean;
}

interface SoundEntry extends PlainEntry {
  /** How many samples a packet has. */
  readonly packed: number;
  /** The boxes in the sample entry. */
  readonly rest: Buffer;
}

/** The only sample entry; several are rejected, because the duration cannot be measured if the decoder changes. */
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

const maxAmrFrames = 15;
/** The most bytes by which an ALAC frame can be larger than its samples in PCM. */
const alacHeadBytes = 64;

const aacTypes = new Set([0x40, 0x66, 0x67, 0x68]);

type Boxes = ReadonlyMap<string, readonly Buffer[]>;

const measuredCodecs = ['mp4a', 'alac', ...Object.keys(amrRates)];

/** Boxes that configure decoders, and the codecs whose sample entries may have them. */
const configurations: Readonly<Record<string, readonly string[]>> = {
  esds: ['mp4a'],
  alac: ['alac'],
  damr: Object.keys(amrRates),
  dac3: [],
  dec3: [],
  ddts: [],
  dmlp: [],
  dOps: [],
  dfLa: [],
  glbl: [],
};

/**
 * The boxes of a sample entry, some of which QuickTime wraps in another. Two decoder configurations are rejected, because
 * decoders differ in which they use, and so are those of other codecs, because decoders obey them. @throws {MediaFault}
 * contradictory, unreadable, excessive
 */
function withWrapped(codec: string, outer: Boxes, work: Work): Boxes {
  const wave = outer.get('wave')?.[0];
  const boxes = new Map(outer);
  for (const [name, wrapped] of wave ? childrenOf('wave', wave, work) : []) {
    boxes.set(name, [...(outer.get(name) ?? []), ...wrapped]);
  }
  for (const [name, codecs] of Object.entries(configurations)) {
    const count = boxes.get(name)?.length ?? 0;
    if (count > 1) throw contradictory(`has two configurations ${name}`);
    if (count > 0 && !codecs.includes(codec)) throw contradictory(`has the configuration ${name} of another codec`);
  }
  return boxes;
}

function aacIn(boxes: Boxes): SoundClock {
  const esds = boxes.get('esds')?.[0];
  if (!esds) throw unmeasurable('mp4a');
  const { type, config } = decoderIn(esds);
  const clock = aacTypes.has(type) ? aacClock(config) : undefined;
  if (!clock) throw unmeasurable(`mp4a.${type.toString(16)}${aacTypes.has(type) ? `.${aacType(config)}` : ''}`);
  const { rateIndex } = clock;
  if (rateIndex === undefined) return { kind: 'frames', ...clock };
  const head = (sample: Uint8Array) => refuseOwnHeader(sample, 0, 'sample');
  return { kind: 'frames', check: { head, all: aacCheck(rateIndex, 'sample') }, ...clock };
}

/** Whether decoders find boxes in a wrapper: otherwise, they take its bytes for the configuration of ALAC. */
const isOfBoxes = (wave: Buffer): boolean =>
  wave.toString('latin1', 4, 8) === 'frma' && wave.readUInt32BE(0) >= 8 && wave.readUInt32BE(0) <= wave.length - 8;

function alacIn(boxes: Boxes): SoundClock {
  const cookie = boxes.get('alac')?.[0];
  const wave = boxes.get('wave')?.[0];
  if (wave && !isOfBoxes(wave)) throw contradictory('has a configuration of ALAC that can be read in two ways');
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

function measuredClockIn({ codec, channels, bits, sampleRate, rest }: SoundEntry, work: Work): SoundClock {
  const outer = childrenOf(sampleEntry, rest, work);
  if (!(measuredCodecs.includes(codec) || isPlainSound(codec))) throw unmeasurable(codec.replaceAll(/[^\w.-]/g, '?'));
  const boxes = withWrapped(codec, outer, work);
  if (codec === 'mp4a') return aacIn(boxes);
  if (codec === 'alac') return alacIn(boxes);
  if (codec in amrRates) return amrIn(codec, boxes);
  return plainClockIn({ codec, channels, bits, sampleRate }, boxes);
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
