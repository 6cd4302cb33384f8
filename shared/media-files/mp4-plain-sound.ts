/** Determines the duration of PCM audio in an MP4, whose sample entry states the size of each sample. */
import { contradictory, unmeasurable, unreadable } from './media-fault.ts';

export interface PlainEntry {
  readonly codec: string;
  readonly channels: number;
  readonly bits: number;
  readonly sampleRate: number;
}

export interface PlainClock {
  readonly kind: 'samples';
  readonly sampleRate: number;
  readonly bytesPerSample: number;
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

export const isPlainSound = (codec: string): boolean => codec in plainBits || codec in statedBits;

/** The number of channels of each layout in ISO/IEC 23091-3; 0 if a layout has no number. */
const layoutChannels = [0, 1, 2, 3, 4, 5, 6, 8, 0, 3, 4, 7, 8, 24, 8, 12, 10, 12, 14, 12, 14];

/** The channels that a QuickTime box lists: by a description or a bit of each, or by a known layout. */
function listedIn(list: Buffer): number {
  if (list.length < 16) throw unreadable();
  const layout = list.readUInt32BE(4);
  if (layout === 0) return list.readUInt32BE(12);
  return layout === 0x1_0000 ? list.readUInt32BE(8).toString(2).replaceAll('0', '').length : layout & 0xffff;
}

/** The number of channels of the layout in an MP4 box; 0 if the box describes each channel of the sample entry. */
const laidOutIn = (box: Buffer): number => {
  const layout = box[box[0] === 0 ? 5 : 6] ?? 0;
  return ((box[4] ?? 0) & (box[0] === 0 ? 1 : 16)) === 0 ? 0 : (layoutChannels[layout] ?? 0);
};

/** Further boxes that describe the samples must agree with the sample entry. @throws {MediaFault} contradictory */
function requireAlike(
  boxes: ReadonlyMap<string, readonly Buffer[]>,
  { channels, bits, rate }: Record<'channels' | 'bits' | 'rate', number>,
): void {
  const described = [
    { values: boxes.get('pcmC')?.map((box) => box[5] ?? 0), expected: bits },
    { values: boxes.get('srat')?.map((box) => (box.length < 8 ? 0 : box.readUInt32BE(4))), expected: rate },
    { values: boxes.get('SA3D')?.map((box) => (box.length < 12 ? 0 : box.readUInt32BE(8))), expected: channels },
    // An empty list of channels does not change the number in the sample entry.
    { values: boxes.get('chan')?.map((box) => listedIn(box) || channels), expected: channels },
    { values: boxes.get('chnl')?.map((box) => laidOutIn(box) || channels), expected: channels },
  ];
  for (const { values = [], expected } of described) {
    if (values.some((value) => value !== expected)) throw contradictory('describes its plain samples in two ways');
  }
}

/** How to measure PCM samples. @throws {MediaFault} contradictory, unmeasurable, unreadable */
export function plainClockIn(
  { codec, channels, bits, sampleRate: rate }: PlainEntry,
  boxes: ReadonlyMap<string, readonly Buffer[]>,
): PlainClock {
  if (!(Number.isInteger(rate) && rate >= 1 && rate <= 768_000)) throw unreadable();
  const stated = statedBits[codec];
  const bitsEach = stated && bits > 0 ? bits : plainBits[codec];
  if (bitsEach === undefined) throw unmeasurable(codec);
  if (channels < 1 || channels > 255 || (stated && !stated.includes(bitsEach))) throw unreadable();
  requireAlike(boxes, { channels, bits: bitsEach, rate });
  return { kind: 'samples', sampleRate: rate, bytesPerSample: channels * Math.ceil(bitsEach / 8) };
}
