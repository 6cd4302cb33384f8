/** MP3, ADTS and FLAC files that declare a wrong duration. */
import { frameHeadAt } from '../../../shared/media-files/mpeg-frame.ts';
import { framesOf } from './frames-of.ts';
import { type Lie, tampered, twice } from './lie.ts';

const summary = (bytes: Buffer): number => Math.max(bytes.indexOf('Xing'), bytes.indexOf('Info'));

/** An ID3 tag of a given size, which is stored with seven bits in each byte. */
export const id3 = (content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('ID3\x04\0\0'),
    Buffer.from([21, 14, 7, 0].map((bits) => (content.length >> bits) & 127)),
    content,
  ]);

const ape = (content: Buffer): Buffer => {
  const head = Buffer.alloc(32);
  head.write('APETAGEX');
  head.writeUInt32LE(2000, 8);
  head.writeUInt32LE(content.length, 12);
  head.writeUInt32LE(0xa000_0000, 20);
  return Buffer.concat([head, content]);
};

/** Inserts a summary frame that counts the other frames. */
const fraunhofer = (frames: number) => (bytes: Buffer) => {
  const first = bytes.indexOf('fffb', 0, 'hex');
  const head = Buffer.from(bytes.subarray(first, first + 4));
  head[2] = (head[2] ?? 0) & 0xfd;
  const summary = Buffer.alloc(frameHeadAt(head, 0)?.bytes ?? 0);
  head.copy(summary);
  summary.write('VBRI', 36);
  summary.writeUInt32BE(frames, 50);
  return Buffer.concat([bytes.subarray(0, first), summary, bytes.subarray(first)]);
};

/** Inserts bytes in front of the file's frames, in frames of the largest size. */
const inFrames = (of: 'bare.mp3' | 'tone.aac', content: Buffer) => (bytes: Buffer) => {
  const heads = { 'bare.mp3': ['fffbe0c4', 1044], 'tone.aac': ['fff1508fa01ffc', 1500] } as const;
  const [head, length] = heads[of];
  const start = Buffer.from(head, 'hex');
  if (of === 'tone.aac') start.writeUIntBE((0x80 << 16) | (length << 5) | 0x1f, 3, 3);
  const room = length - start.length;
  const frames = Array.from({ length: Math.max(8, Math.ceil(content.length / room)) }, (_, index) => {
    const part = content.subarray(index * room, (index + 1) * room);
    return Buffer.concat([start, part, Buffer.alloc(room - part.length, 0x55)]);
  });
  return Buffer.concat([...frames, bytes]);
};

/** Units that each begin with a start code, as in video. */
const units = (...kinds: readonly string[]): Buffer =>
  Buffer.concat(kinds.map((kind) => Buffer.from(`000001${kind}20ff`, 'hex')));

const many = (kind: string, count: number): readonly string[] => Array.from({ length: count }, () => kind);

/** Formats that decoders detect in frames before they detect the frames themselves. */
const otherFormats = {
  'H.264': units('67', '68', '65'),
  HEVC: units('40', '42', '44', '26'),
  'MPEG-4': units('00', '20', 'b6', 'b6', 'b6', 'b6'),
  'MPEG-2': units('b3', '00', '01', '00', '01'),
  'VC-1': units('0f', '0e', '0d'),
  AVS: units('b0', 'b3', '01'),
  'a program stream': units(...many('ba', 3)),
  'video packets': units(...many('e0', 7)),
  'sound packets': units(...many('c0', 13)),
  'a transport stream': Buffer.alloc(3000, Buffer.concat([Buffer.from('47401030', 'hex'), Buffer.alloc(184, 0x55)])),
  NUT: Buffer.from('4e4d7a561f5f04ad', 'hex'),
  MXF: Buffer.from('060e2b34020501010d010201', 'hex'),
  NSV: Buffer.from('NSVs'),
  'H.263': Buffer.alloc(60, Buffer.from('000080025555', 'hex')),
  JPEG: Buffer.alloc(60, Buffer.from('ffd8ff5555', 'hex')),
  DTS: Buffer.alloc(60, Buffer.from('7ffe800155', 'hex')),
};

const otherLies: readonly Lie[] = (['bare.mp3', 'tone.aac'] as const).flatMap((of) =>
  Object.entries(otherFormats).map(([name, content]) => ({
    title: `the beginning of ${name} in its first frames`,
    of,
    make: inFrames(of, content),
    outcome: /^begins with another format/,
  })),
);

/** The frames of an ADTS file, some of which are merged into one. */
function merged(bytes: Buffer, count: number): Buffer {
  const frames = framesOf(bytes);
  const groups = Array.from({ length: Math.floor(frames.length / count) }, (_, group) => {
    const whole = Buffer.concat(frames.slice(group * count, (group + 1) * count));
    whole.writeUIntBE(((whole[3] ?? 0) & 0xfc) * 2 ** 16 + whole.length * 32 + 31, 3, 3);
    return whole;
  });
  return Buffer.concat(groups);
}

/** The frames in groups of 50, of which each but the first is wrapped in an AAC frame with eight channels. */
function covered(frames: Buffer): Buffer {
  const length = 50 * (frameHeadAt(frames, 0)?.bytes ?? 0);
  const parts: Buffer[] = [frames.subarray(0, length)];
  for (let at = length; at < frames.length; at += length) {
    const content = frames.subarray(at, at + length);
    const head = Buffer.from('fff15100001ffc', 'hex');
    head.writeUIntBE((0xc0 << 16) | ((content.length + 7) << 5) | 0x1f, 3, 3);
    parts.push(head, content);
  }
  return Buffer.concat(parts);
}

export const frameLies: readonly Lie[] = [
  {
    title: 'ten AAC frames merged into each frame',
    of: 'tone.aac',
    make: (bytes) => merged(bytes, 10),
    outcome: /^has sound with more than one frame in a frame$/,
  },
  ...otherLies,
  {
    title: 'start codes of one kind in its first frames, as in silence',
    of: 'bare.mp3',
    make: inFrames('bare.mp3', units(...many('00', 60), ...many('a4', 60))),
    outcome: 6.3,
  },
  {
    title: 'sound in a tag between two parts of sound',
    of: 'bare.mp3',
    make: (bytes) => Buffer.concat([bytes, id3(bytes), bytes]),
    outcome: /^contains sound in a tag/,
  },
  {
    title: 'single frames in a tag between two parts of sound',
    of: 'bare.mp3',
    make: (bytes) => {
      const [frame = bytes] = framesOf(bytes);
      const apart = Array.from({ length: 40 }, () => [frame, Buffer.alloc(7)]).flat();
      return Buffer.concat([bytes, id3(Buffer.concat(apart)), bytes]);
    },
    outcome: /^contains sound in a tag/,
  },
  {
    title: 'sound in a tag at its end',
    of: 'bare.mp3',
    make: (bytes) => Buffer.concat([bytes, id3(bytes)]),
    outcome: /^contains sound in a tag/,
  },
  {
    title: 'sound in an APE tag',
    of: 'bare.mp3',
    make: (bytes) => Buffer.concat([bytes, ape(bytes), bytes]),
    outcome: /^contains sound in a tag/,
  },
  {
    title: 'a hundred ID3 tags that do not directly follow one another',
    of: 'bare.mp3',
    make: (bytes) => Buffer.concat([bytes, Buffer.from('xID3\x04\0\0\0\0\0\0'.repeat(100), 'latin1')]),
    outcome: 6.1,
  },
  {
    title: 'a summary that counts fewer frames',
    of: 'tone.mp3',
    make: tampered((copy) => copy.writeUInt32BE(20, summary(copy) + 8)),
    outcome: /^declares 0\.5 seconds of sound, but contains 6/,
  },
  {
    title: 'a summary that counts more frames',
    of: 'variable.mp3',
    make: tampered((copy) => copy.writeUInt32BE(20_000, summary(copy) + 8)),
    outcome: /^declares/,
  },
  {
    title: 'more sound after the frames that its summary counts',
    of: 'tone.mp3',
    make: twice,
    outcome: /^declares 6\.\d seconds of sound, but contains 12/,
  },
  { title: 'the same sound twice and no summary', of: 'bare.mp3', make: twice, outcome: 12.1 },
  {
    title: 'a second sound of another sample rate',
    of: 'bare.mp3',
    make: (bytes, files) => Buffer.concat([bytes, files.get('slow.mp3') ?? bytes]),
    outcome: 12.1,
  },
  {
    title: '20,000 bytes at its end that are not sound',
    of: 'bare.mp3',
    make: (bytes) => Buffer.concat([bytes, Buffer.alloc(20_000, 7)]),
    outcome: /bytes that are no sound/,
  },
  {
    title: 'AAC frames after its MP3 frames',
    of: 'bare.mp3',
    make: (bytes, files) => Buffer.concat([bytes, files.get('tone.aac') ?? bytes]),
    outcome: /^is not readable$/,
  },
  {
    title: 'AAC frames around its MP3 frames',
    of: 'slow.mp3',
    make: (bytes) => covered(bytes.subarray(bytes.indexOf('fff3', 0, 'hex'))),
    outcome: 6.1,
  },
  {
    title: 'two tags at its beginning',
    of: 'bare.mp3',
    make: (bytes) => Buffer.concat([id3(Buffer.alloc(10)), id3(Buffer.alloc(10)), bytes]),
    outcome: /^begins with two tags/,
  },
  // Decoders play the content of these tags, because they do not recognize them as tags.
  ...(
    [
      ['version', 3, 0xff],
      ['revision', 4, 0xff],
      ['size', 9, 0x80],
    ] as const
  ).map(([part, at, value]) => ({
    title: `sound in a tag with an impossible ${part}`,
    of: 'bare.mp3' as const,
    make: (bytes: Buffer) =>
      Buffer.concat([tampered((copy) => copy.writeUInt8((copy[at] ?? 0) | value, at))(id3(bytes)), bytes]),
    outcome: /^is not readable$/,
  })),
  {
    title: 'only three frames before other bytes',
    of: 'bare.mp3',
    make: (bytes) => {
      const frames = framesOf(bytes);
      const [frame = bytes] = frames;
      return Buffer.concat([frame, frame, frame, Buffer.alloc(1000), ...frames]);
    },
    outcome: /^begins with too few frames of sound/,
  },
  {
    title: 'a metadata block before the FLAC stream information',
    of: 'tone.flac',
    make: (bytes) => Buffer.concat([bytes.subarray(0, 4), Buffer.from([1, 0, 0, 4, 0, 0, 0, 0]), bytes.subarray(4)]),
    outcome: /^is not readable$/,
  },
  {
    title: 'a FLAC header that declares blocks that are too small',
    of: 'tone.flac',
    make: tampered((copy) => copy.writeUInt16BE(15, 8)),
    outcome: /^is not readable$/,
  },
  {
    title: 'a FLAC header that declares fewer samples',
    of: 'tone.flac',
    make: tampered((copy) => copy.writeUInt32BE(1000, 22)),
    outcome: /^declares 0\.0 seconds/,
  },
  {
    title: 'a FLAC header that declares no samples',
    of: 'tone.flac',
    make: tampered((copy) => copy.writeUInt32BE(0, 22)),
    outcome: 6,
  },
  {
    title: 'a FLAC header that declares another sample rate',
    of: 'tone.flac',
    make: tampered((copy) => copy.writeUIntBE(0x17700, 18, 3)),
    outcome: /^changes its sample rate$/,
  },
  {
    title: 'frames of a lower rate after its own',
    of: 'tone.flac',
    make: (bytes, files) => {
      const low = files.get('low.flac') ?? bytes;
      const frames = low.subarray(low.indexOf('fff8', 0, 'hex')).subarray(0, 2400);
      return Buffer.concat([tampered((copy) => copy.writeUInt32BE(0, 22))(bytes), frames]);
    },
    outcome: 6.65,
  },
  {
    title: '3,000 bytes less than its summary states',
    of: 'tone.mp3',
    make: (bytes) => bytes.subarray(0, -3000),
    outcome: /^is truncated$/,
  },
  {
    title: 'a Fraunhofer summary that counts fewer frames',
    of: 'bare.mp3',
    make: fraunhofer(20),
    outcome: /^declares 0\.5 seconds of sound, but contains 6/,
  },
  { title: 'a correct Fraunhofer summary', of: 'bare.mp3', make: fraunhofer(230), outcome: 6 },
  {
    title: 'a second FLAC file after its own',
    of: 'tone.flac',
    make: twice,
    outcome: /^declares 6\.0 seconds of sound, but contains 12/,
  },
];
