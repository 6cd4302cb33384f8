/** WAV files whose description does not match their samples, each made from a correct file. */
import { type Lie, tampered } from './lie.ts';
import type { MediaName } from './made-media.ts';

interface Description {
  readonly codec: number;
  readonly bits: number;
  /** The number of valid bits in an extended format description. */
  readonly validBits?: number;
}

const chunk = (name: string, content: Buffer): Buffer => {
  const head = Buffer.from(`${name}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
};

function wavOf(samples: Buffer, { codec, bits, validBits }: Description): Buffer {
  const format = Buffer.alloc(validBits === undefined ? 16 : 40);
  const rate = 44_100;
  for (const [at, value] of [codec, 1].entries()) format.writeUInt16LE(value, 2 * at);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE((rate * bits) / 8, 8);
  for (const [at, value] of [bits / 8, bits].entries()) format.writeUInt16LE(value, 12 + 2 * at);
  if (validBits !== undefined) {
    format.writeUInt16LE(0xfffe, 0);
    for (const [at, value] of [22, validBits].entries()) format.writeUInt16LE(value, 16 + 2 * at);
    format.writeUInt16LE(codec, 24);
    format.write('000000001000800000aa00389b71', 26, 'hex');
  }
  const parts = Buffer.concat([Buffer.from('WAVE'), chunk('fmt ', format), chunk('data', samples)]);
  return chunk('RIFF', parts);
}

const plain = { codec: 1, bits: 16 } as const;
const samplesOf = (bytes: Buffer): Buffer => bytes.subarray(bytes.indexOf('data') + 8);

const described = (title: string, description: Description, outcome: Lie['outcome']): Lie => ({
  title,
  of: 'tone.wav',
  make: (bytes) => wavOf(samplesOf(bytes), description),
  outcome,
});

const hidden = (of: MediaName, before = 0): Lie => ({
  title: `PCM samples that contain ${of}${before > 0 ? ` after ${before} bytes` : ''}`,
  of: 'tone.wav',
  make: (_, files) => wavOf(Buffer.concat([Buffer.alloc(before), files.get(of) ?? Buffer.alloc(0)]), plain),
  outcome: /^declares plain samples, but contains sound in another codec/,
});

/** Bytes in which a sync word recurs at regular intervals, as in encoded audio. */
const marked = (mark: string): Lie => ({
  title: `PCM samples with the sync mark ${mark}`,
  of: 'tone.wav',
  make: tampered((copy) => {
    for (let at = 1000; at < 60_000; at += 2048) copy.write(mark, at, 'hex');
  }),
  outcome: /another codec/,
});

/** Samples that begin with frames of 128 bytes with this header, which decoders recognize as another codec. */
const begun = (codec: string, head: string, { frames = 3, bytes = 128 } = {}): Lie => ({
  title: `PCM samples that begin like ${codec}`,
  of: 'tone.wav',
  make: tampered((copy) => {
    const first = copy.indexOf('data') + 8;
    for (let frame = 0; frame < frames; frame += 1) copy.write(head, first + frame * bytes, 'hex');
  }),
  outcome: /^declares plain samples, but contains sound in another codec/,
});

/** Formats that decoders prefer to WAV. */
const preferred = (name: string, mark: string): Lie => ({
  title: `PCM samples that begin like ${name} file`,
  of: 'tone.wav',
  make: tampered((copy) => copy.write(mark, 1000, 'hex')),
  outcome: /^begins with another format/,
});

const wrongBits = /^declares samples of \d+ bits/;

/** The chunk of a WAV file with a given name. */
const chunkAt = (bytes: Buffer, name: string): number => bytes.indexOf(name, 12, 'latin1');

const dataOf = (bytes: Buffer): Buffer => {
  const at = chunkAt(bytes, 'data');
  return bytes.subarray(at, at + 8 + bytes.readUInt32LE(at + 4));
};

export const wavLies: readonly Lie[] = [
  described('64-bit A-law samples', { codec: 6, bits: 64 }, wrongBits),
  described('64-bit µ-law samples', { codec: 7, bits: 64 }, wrongBits),
  described('64-bit PCM samples', { codec: 1, bits: 64 }, wrongBits),
  described('16-bit floating-point samples', { codec: 3, bits: 16 }, wrongBits),
  described('samples with 8 valid bits of 64', { codec: 1, bits: 64, validBits: 8 }, wrongBits),
  described('samples with 16 valid bits of 32', { codec: 1, bits: 32, validBits: 16 }, wrongBits),
  described('samples with 24 valid bits of 32', { codec: 1, bits: 32, validBits: 24 }, 3),
  described('samples with 16 valid bits of 8', { codec: 1, bits: 8, validBits: 16 }, wrongBits),
  described(
    'an extended format description that states MP3',
    { codec: 0x55, bits: 16, validBits: 16 },
    /cannot be measured/,
  ),
  described('a correct extended format description', { codec: 1, bits: 16, validBits: 16 }, 6),
  {
    title: 'a 64-bit size in a 32-bit file',
    of: 'long.wav',
    make: tampered((copy) => {
      const data = copy.indexOf('data', 12);
      copy.write('RIFF');
      copy.writeBigUInt64LE(1000n, copy.indexOf('ds64') + 16);
      copy.write('LIST', data + 1008);
      copy.writeUInt32LE(copy.length - data - 1016, data + 1012);
    }),
    outcome: /^has sizes of 64 bits in a file of 32$/,
  },
  hidden('bare.mp3'),
  hidden('tone.aac'),
  hidden('bare.mp3', 2000),
  hidden('tone.aac', 20_001),
  marked('7ffe8001'),
  marked('ff1f00e8f007'),
  marked('1fffe80007f0'),
  {
    title: 'quiet samples that contain a sync mark of DTS between two samples',
    of: 'tone.wav',
    make: tampered((copy) => {
      for (let at = copy.indexOf('data') + 1001; at < 60_000; at += 2048) copy.write('ff1f00e8', at, 'hex');
    }),
    outcome: 6,
  },
  marked('72f81f4e'),
  begun('AC-3', '0b7700000040'),
  begun('byte-swapped AC-3', '770b00004000'),
  begun('E-AC-3', '0b77003f0080'),
  begun('byte-swapped E-AC-3', '770b3f008000'),
  begun('AC-3 with the headers of a recorder', `0110${'00'.repeat(14)}0b7700000040`, { bytes: 144 }),
  begun('byte-swapped AC-3 with the headers of a recorder', `0110${'00'.repeat(14)}770b00004000`, { bytes: 144 }),
  begun('ADTS', 'fff150001000fc'),
  begun('ADTS of an impossible rate', 'fff17c001000fc'),
  begun('LATM', '56e07d'),
  begun('MP3', 'fff318c4', { bytes: 36 }),
  begun('a tag with frames behind it', '494433040000000000', { frames: 1 }),
  begun('two frames for a digital output', '72f81f4e01005004', { frames: 2, bytes: 6144 }),
  begun('TrueHD', 'f8726fba', { frames: 1 }),
  preferred('a NUT', '4e4d7a561f5f04ad'),
  preferred('an MXF', '060e2b34020501010d010201'),
  {
    title: 'two data chunks',
    of: 'tone.wav',
    make: (bytes) => Buffer.concat([bytes, dataOf(bytes)]),
    outcome: /^declares \d+ bytes, but contains/,
  },
  {
    title: 'two data chunks that its declared size includes',
    of: 'tone.wav',
    make: (bytes) => tampered((copy) => copy.writeUInt32LE(copy.length - 8, 4))(Buffer.concat([bytes, dataOf(bytes)])),
    outcome: 12,
  },
  {
    title: 'a false block length',
    of: 'tone.wav',
    make: tampered((copy) => copy.writeUInt16LE(40, 32)),
    outcome: /^declares blocks of 40 bytes for samples of 2/,
  },
  {
    title: 'a false byte rate',
    of: 'tone.wav',
    make: tampered((copy) => copy.writeUInt32LE(1_764_000, 28)),
    outcome: /^declares 1764000 bytes per second/,
  },
  {
    title: 'a second format description',
    of: 'tone.wav',
    make: (bytes) => Buffer.concat([bytes.subarray(0, 36), bytes.subarray(12, 36), bytes.subarray(36)]),
    outcome: /^describes its samples twice$/,
  },
  {
    title: 'an unknown data size',
    of: 'tone.wav',
    make: tampered((copy) => copy.writeUInt32LE(0xffff_ffff, chunkAt(copy, 'data') + 4)),
    outcome: 6,
  },
  {
    title: 'a data size of zero',
    of: 'tone.wav',
    make: tampered((copy) => copy.writeUInt32LE(0, chunkAt(copy, 'data') + 4)),
    outcome: 6,
  },
  {
    title: 'MP3 as its declared codec',
    of: 'tone.wav',
    make: tampered((copy) => copy.writeUInt16LE(0x55, 20)),
    outcome: /cannot be measured \(WAV format 85\)$/,
  },
  {
    title: 'a header of the voice recorder format ACT',
    of: 'tone.wav',
    make: tampered((copy) => copy.fill(0, 44, 256).writeUInt8(0x84, 256)),
    outcome: /^is not readable$/,
  },
  {
    title: 'a video chunk',
    of: 'tone.wav',
    make: (bytes) => Buffer.concat([bytes, Buffer.from('SMV0\0\0\0\0')]),
    outcome: /^contains video$/,
  },
  {
    title: 'a description of sound for a game console',
    of: 'tone.wav',
    make: (bytes) => Buffer.concat([bytes, Buffer.from('XMA2\0\0\0\0')]),
    outcome: /cannot be measured \(XMA2\)$/,
  },
  {
    title: 'no 64-bit size, although its format requires one',
    of: 'tone.wav',
    make: tampered((copy) => copy.write('RF64')),
    outcome: /^is not readable$/,
  },
  {
    title: 'a 64-bit size that is too small',
    of: 'long.wav',
    make: tampered((copy) => copy.writeBigUInt64LE(1000n, chunkAt(copy, 'ds64') + 16)),
    outcome: /belong to no part/,
  },
];
