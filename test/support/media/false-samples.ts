/**
 * Audio whose samples, packets or frames contain more frames than the file counts for them, or frames of a kind that
 * the service rejects.
 */
import { boxOf, changedMp4, numbers, paths } from './changed-mp4.ts';
import { type Lie, tampered } from './lie.ts';
import type { MediaName } from './made-media.ts';

/** A frame of AAC-LC for one channel, of silence. */
const silence = Buffer.from('00000007', 'hex');
/** A frame of AMR without data. */
const nothing = Buffer.from('7c', 'hex');

const contentOf = (bytes: Buffer, type: string): Buffer => {
  const at = bytes.lastIndexOf(type, undefined, 'latin1') - 4;
  return bytes.subarray(at + 8, at + bytes.readUInt32BE(at));
};

interface Samples {
  readonly media: Buffer;
  readonly count: number;
  /** The content of the sample size table. */
  readonly sizes: Buffer;
}

/** The file with other samples in its only track; each is declared to last as long as a sample did before. */
function withTable(bytes: Buffer, { media, count, sizes }: Samples): Buffer {
  const { table } = paths;
  const delta = contentOf(bytes, 'stts').readUInt32BE(12);
  const lasting = (name: string, place: number, units: number) => (content: Buffer) => {
    const copy = Buffer.from(content);
    copy.writeUInt32BE(units, place);
    return boxOf(name, copy);
  };
  const [units, rate] = [count * delta, contentOf(bytes, 'mdhd').readUInt32BE(12)];
  const movieUnits = Math.round((units / rate) * 1000);
  return changedMp4(bytes, {
    mdat: () => boxOf('mdat', media),
    [`${table}/stsz`]: () => boxOf('stsz', sizes),
    [`${table}/stts`]: () => boxOf('stts', numbers(0, 1, count, delta)),
    [`${table}/stsc`]: () => boxOf('stsc', numbers(0, 1, 1, count, 1)),
    [`${table}/stco`]: () => boxOf('stco', numbers(0, 1, bytes.lastIndexOf('mdat', undefined, 'latin1') + 4)),
    'moov/trak/edts': () => Buffer.alloc(0),
    'moov/trak/mdia/mdhd': lasting('mdhd', 16, units),
    'moov/trak/tkhd': lasting('tkhd', 20, movieUnits),
    'moov/mvhd': lasting('mvhd', 16, movieUnits),
  });
}

/** The file with its samples changed. */
export function withSamples(bytes: Buffer, change: (samples: readonly Buffer[]) => readonly Buffer[]): Buffer {
  const [sizes, media] = [contentOf(bytes, 'stsz'), contentOf(bytes, 'mdat')];
  let at = 0;
  const samples = change(
    Array.from({ length: sizes.readUInt32BE(8) }, (_, sample) => {
      const size = sizes.readUInt32BE(4) || sizes.readUInt32BE(12 + 4 * sample);
      at += size;
      return media.subarray(at - size, at);
    }),
  );
  const count = samples.length;
  return withTable(bytes, {
    media: Buffer.concat(samples),
    count,
    sizes: numbers(0, 0, count, ...samples.map(({ length }) => length)),
  });
}

/** The file with other samples, each of which is a single byte. */
export const withManySamples = (bytes: Buffer, count: number): Buffer =>
  withTable(bytes, { media: Buffer.alloc(count), count, sizes: numbers(0, 1, count) });

/** Several samples joined into one. */
const joined =
  (count: number) =>
  (samples: readonly Buffer[]): readonly Buffer[] =>
    Array.from({ length: Math.floor(samples.length / count) }, (_, index) =>
      Buffer.concat(samples.slice(index * count, (index + 1) * count)),
    );

const each = (change: (sample: Buffer) => Buffer) => (samples: readonly Buffer[]) => samples.map(change);

/** A sample with an ADTS header that declares half the sample rate. */
function headed(sample: Buffer): Buffer {
  const head = Buffer.from('fff15c40001ffc', 'hex');
  head.writeUIntBE((0x40 << 16) | ((sample.length + 7) << 5) | 0x1f, 3, 3);
  return Buffer.concat([head, sample]);
}

const severalFrames = /^has sound with more than one frame in a sample$/;

const sampled = (
  title: string,
  of: MediaName,
  change: (samples: readonly Buffer[]) => readonly Buffer[],
  outcome: Lie['outcome'] = severalFrames,
): Lie => ({ title, of, make: (bytes) => withSamples(bytes, change), outcome });

/** The file with another AudioSpecificConfig, of two bytes. */
const configured = (config: number) =>
  tampered((copy) => copy.writeUInt16BE(config, copy.indexOf('05808080', copy.indexOf('esds'), 'hex') + 5));

const refusedTypes = [
  { title: 'AAC in the Main profile', config: 0x0a08, name: /\(mp4a\.40\.1\)$/ },
  { title: 'AAC in the SSR profile', config: 0x1a08, name: /\(mp4a\.40\.3\)$/ },
  { title: 'AAC in the LTP profile', config: 0x2208, name: /\(mp4a\.40\.4\)$/ },
  { title: 'AAC frames of 960 samples', config: 0x120c, name: /\(mp4a\.40\.2\)$/ },
] as const;

const frameBytes = (bytes: Buffer, at: number): number => (bytes.readUIntBE(at + 3, 3) >> 5) & 0x1fff;

/** The frames of an ADTS file, with additional bytes after the content of each. */
function followed(bytes: Buffer, more: Buffer): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += frameBytes(bytes, at)) {
    const frame = Buffer.concat([bytes.subarray(at, at + frameBytes(bytes, at)), more]);
    frame.writeUIntBE(((frame[3] ?? 0) & 0xfc) * 2 ** 16 + frame.length * 32 + 31, 3, 3);
    frames.push(frame);
  }
  return Buffer.concat(frames);
}

export const sampleLies: readonly Lie[] = [
  sampled('one AAC frame in each sample', 'tone.m4a', (samples) => samples, 6),
  sampled(
    'zeros after each AAC frame',
    'tone.m4a',
    each((sample) => Buffer.concat([sample, Buffer.alloc(9)])),
    6,
  ),
  sampled('two AAC frames in each sample', 'tone.m4a', joined(2)),
  sampled(
    'silent frames after each AAC frame',
    'tone.m4a',
    each((sample) => Buffer.concat([sample, ...Array(20).fill(silence)])),
  ),
  sampled(
    'only silent frames in each sample',
    'tone.m4a',
    each(() => Buffer.concat(Array(190).fill(silence))),
  ),
  sampled(
    'headers that state half the rate in its AAC samples',
    'tone.m4a',
    each(headed),
    /^has sound with headers of its own in its samples: export it again$/,
  ),
  sampled('two AMR frames in each sample', 'phone.3gp', joined(2)),
  sampled(
    'empty AMR frames in each sample',
    'phone.3gp',
    each(() => Buffer.alloc(13, nothing)),
  ),
  sampled('one AMR frame in each sample', 'phone.3gp', (samples) => samples, 6),
  ...refusedTypes.map(({ title, config, name }) => ({
    title,
    of: 'tone.m4a' as const,
    make: configured(config),
    outcome: name,
  })),
  {
    title: 'a silent frame after each ADTS frame',
    of: 'tone.aac',
    make: (bytes) => followed(bytes, silence),
    outcome: /^has sound with more than one frame in a frame$/,
  },
  {
    title: 'zeros after each ADTS frame',
    of: 'tone.aac',
    make: (bytes) => followed(bytes, Buffer.alloc(5)),
    outcome: 6,
  },
  {
    title: 'several blocks in each ADTS frame',
    of: 'tone.aac',
    make: tampered((copy) => {
      for (let at = 0; at < copy.length; at += frameBytes(copy, at)) copy.writeUInt8((copy[at + 6] ?? 0) | 1, at + 6);
    }),
    outcome: /\(AAC with several blocks in a frame\)$/,
  },
];
