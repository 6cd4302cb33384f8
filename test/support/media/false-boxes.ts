/**
 * MP4 files with an index, track or decoder configuration at a position where only some players find it; each is made
 * from a correct file.
 */
import { deflateSync } from 'node:zlib';
import { boxOf, changedMp4, numbers, paths } from './changed-mp4.ts';
import { type Lie, tampered, twice } from './lie.ts';
import type { MediaName } from './made-media.ts';

const { table } = paths;

/** The box with the complete index of a file. */
export function indexOf(bytes: Buffer): Buffer {
  const at = bytes.indexOf('moov', 0, 'latin1') - 4;
  return bytes.subarray(at, at + bytes.readUInt32BE(at));
}

const inIndex =
  (...boxes: readonly Buffer[]) =>
  (content: Buffer) =>
    boxOf('moov', content, ...boxes);
export const changedIndex = (bytes: Buffer, ...boxes: readonly Buffer[]) =>
  changedMp4(bytes, { moov: inIndex(...boxes) });
const meta = (content: Buffer) =>
  boxOf('meta', numbers(0), boxOf('hdlr', numbers(0, 0), Buffer.from('mdir'), numbers(0, 0, 0, 0)), content);
const compressed = (index: Buffer) =>
  boxOf('cmov', boxOf('dcom', Buffer.from('zlib')), boxOf('cmvd', numbers(index.length), deflateSync(index)));

const hidden = (
  place: string,
  make: (bytes: Buffer, index: Buffer) => Buffer,
  outcome: Lie['outcome'] = /^has a box moov in a box/,
): Lie => ({ title: `a second index ${place}`, of: 'tone.m4a', make: (bytes) => make(bytes, indexOf(bytes)), outcome });

const indexLies: readonly Lie[] = [
  hidden('in user data before the index', (bytes, index) =>
    changedMp4(bytes, { moov: () => Buffer.concat([boxOf('udta', index), index]) }),
  ),
  hidden('in metadata before the index', (bytes, index) =>
    changedMp4(bytes, { moov: () => Buffer.concat([meta(index), index]) }),
  ),
  hidden('in user data at its end', (bytes, index) => Buffer.concat([bytes, boxOf('udta', index)])),
  hidden('in an unknown box at its end', (bytes, index) => Buffer.concat([bytes, boxOf('abcd', numbers(0), index)])),
  hidden('in the index', (bytes, index) => changedIndex(bytes, index)),
  hidden('in metadata in the index', (bytes, index) => changedIndex(bytes, meta(index))),
  hidden('in metadata in the index’s user data', (bytes, index) => changedIndex(bytes, boxOf('udta', meta(index)))),
  hidden('in a sample table', (bytes, index) =>
    changedMp4(bytes, { [table]: (content) => boxOf('stbl', content, boxOf('sgpd', index)) }),
  ),
  hidden(
    'that is compressed, inside the index',
    (bytes, index) => changedIndex(bytes, compressed(index)),
    /^has a box cmov in a box moov$/,
  ),
  hidden(
    'that is compressed, at its end',
    (bytes, index) => Buffer.concat([bytes, compressed(index)]),
    /^has a box cmov at the top level$/,
  ),
  hidden(
    'that ends after the user data that contains it',
    (bytes, index) => changedIndex(bytes, boxOf('udta', tampered((copy) => copy.writeUInt32BE(2 ** 30, 0))(index))),
    /^has a box moov without an end$/,
  ),
  hidden('in free space', (bytes, index) => Buffer.concat([bytes, boxOf('free', index)]), 6),
  {
    title: 'a track without a size',
    of: 'tones.m4a',
    make: tampered((copy) => copy.writeUInt32BE(0, copy.lastIndexOf('trak') - 4)),
    outcome: /^has a box without a size$/,
  },
];

const handled = (of: MediaName, from: string, to: string, outcome: RegExp): Lie => ({
  title: `a track of the type ${from} that is declared as ${to}`,
  of,
  make: tampered((copy) => copy.write(to, copy.indexOf(from, copy.indexOf('hdlr')), 'latin1')),
  outcome,
});

const trackLies: readonly Lie[] = [
  handled('tones.m4a', 'soun', 'abcd', /^has a track of an unknown kind \(abcd, mp4a\)$/),
  handled('tones.m4a', 'soun', 'text', /^has a track of an unknown kind \(text, mp4a\)$/),
  handled('film.mp4', 'vide', 'tmcd', /^has a track of an unknown kind \(tmcd, avc1\)$/),
  handled('tones.m4a', 'soun', 'vide', /^has a picture in a codec of sound$/),
];

/** The sample entry of the first track, modified together with the boxes inside it. */
export const withEntry = (bytes: Buffer, change: (fixed: Buffer, boxes: Buffer) => readonly Buffer[]): Buffer =>
  changedMp4(bytes, {
    [`${table}/stsd`]: (content) => {
      const entry = content.subarray(16);
      const type = content.toString('latin1', 12, 16);
      return boxOf('stsd', content.subarray(0, 8), boxOf(type, ...change(entry.subarray(0, 28), entry.subarray(28))));
    },
  });

const firstBox = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.readUInt32BE(0));

/** Replaces the codec's name in a file. */
export const named = (name: string) => (make: (bytes: Buffer) => Buffer) => (bytes: Buffer) => {
  const copy = make(bytes);
  copy.write(name, copy.indexOf('stsd') + 16, 'latin1');
  return copy;
};

/** An `esds` box of AAC with a given configuration. */
function aacDescription(config: string): Buffer {
  const descriptor = (tag: number, ...content: readonly Buffer[]) => {
    const whole = Buffer.concat(content);
    return Buffer.concat([Buffer.from([tag, whole.length]), whole]);
  };
  const decoder = descriptor(
    4,
    Buffer.from('40150000000000000000000000', 'hex'),
    descriptor(5, Buffer.from(config, 'hex')),
  );
  return boxOf(
    'esds',
    numbers(0),
    descriptor(3, Buffer.from('000100', 'hex'), decoder, descriptor(6, Buffer.from([2]))),
  );
}

const entryLies: readonly Lie[] = [
  {
    title: 'two decoder configurations',
    of: 'tone.m4a',
    make: (bytes) => withEntry(bytes, (fixed, boxes) => [fixed, twice(firstBox(boxes))]),
    outcome: /^has two boxes esds in a box entry$/,
  },
  {
    title: 'a second decoder configuration in a wrapper box',
    of: 'tone.m4a',
    make: (bytes) => withEntry(bytes, (fixed, boxes) => [fixed, boxes, boxOf('wave', firstBox(boxes))]),
    outcome: /^has two configurations esds$/,
  },
  {
    title: 'a decoder configuration in its user data',
    of: 'tone.m4a',
    make: (bytes) => changedIndex(bytes, boxOf('udta', boxOf('esds', Buffer.alloc(30)))),
    outcome: /^has a box esds in a box udta$/,
  },
  {
    title: 'a sound description with boxes in place of numbers',
    of: 'tone.m4a',
    make: (bytes) =>
      withEntry(bytes, (fixed, boxes) => {
        const second = Buffer.from(fixed);
        second.writeUInt16BE(1, 8);
        return [second, boxOf('wave', boxes)];
      }),
    outcome: /^has a description of sound that can be read in two ways$/,
  },
  {
    title: 'several AAC frames in each sample',
    of: 'tone.m4a',
    make: (bytes) =>
      Buffer.concat([
        changedMp4(bytes, {
          [`${table}/stsz`]: (content) => {
            const copy = Buffer.from(content);
            for (let at = 12; at < copy.length; at += 4) copy.writeUInt32BE(900, at);
            return boxOf('stsz', copy);
          },
        }),
        boxOf('free', Buffer.alloc(300_000)),
      ]),
    outcome: /^has sound with more than one frame in a sample$/,
  },
  {
    title: 'several AAC frames in one sample',
    of: 'tone.m4a',
    make: (bytes) =>
      changedMp4(bytes, {
        [`${table}/stsz`]: (content) => {
          const copy = Buffer.from(content);
          copy.writeUInt32BE(769, copy.length - 4);
          return boxOf('stsz', copy);
        },
      }),
    outcome: /^has sound with more than one frame in a sample$/,
  },
  {
    title: '24 kHz AAC that is played at 48 kHz',
    of: 'low.m4a',
    make: (bytes) => withEntry(bytes, (fixed) => [fixed, aacDescription('2b098800')]),
    outcome: 6,
  },
];

/**
 * A description of version 1 or 2 with packets of a given number of samples, which decoders then read, whatever the
 * index says.
 */
const packed =
  (version: 1 | 2, samples: number) =>
  (bytes: Buffer): Buffer =>
    withEntry(bytes, (fixed, boxes) => {
      const entry = Buffer.from(fixed);
      entry.writeUInt16BE(version, 8);
      const rate = Buffer.alloc(8);
      rate.writeDoubleBE(44_100);
      const fields =
        version === 1
          ? [numbers(samples, 1, 400, 2)]
          : [numbers(72), rate, numbers(1, 0x7f00_0000, 16, 4, 400, samples)];
      return [entry, ...fields, boxes];
    });
const inPackets = /^has samples in packets of another size$/;

const packedLies: readonly Lie[] = [
  { title: 'PCM samples in packets of two', of: 'plain.mov', make: packed(1, 2), outcome: inPackets },
  { title: 'PCM samples in packets of one', of: 'plain.mov', make: packed(1, 1), outcome: 6 },
  {
    title: 'PCM samples in packets of one in a newer list of descriptions',
    of: 'plain.mov',
    make: (bytes) => tampered((copy) => copy.writeUInt8(1, copy.indexOf('stsd') + 4))(packed(1, 1)(bytes)),
    outcome: /^has a description of sound that can be read in two ways$/,
  },
  {
    title: 'PCM samples in packets of two in the newest kind of description',
    of: 'plain.mov',
    make: named('lpcm')(packed(2, 2)),
    outcome: inPackets,
  },
];

/** An additional handler in another place of a track. */
const secondKind = (place: string, make: (handler: Buffer) => Buffer, outcome: RegExp): Lie => ({
  title: `a second handler of a track in ${place}`,
  of: 'silent.mp4',
  make: (bytes) =>
    changedMp4(bytes, {
      'moov/trak/mdia/minf': (content) =>
        boxOf('minf', content, make(boxOf('hdlr', numbers(0, 0), Buffer.from('soun'), numbers(0, 0, 0, 0)))),
    }),
  outcome,
});

const kindLies: readonly Lie[] = [
  secondKind('its media', (handler) => handler, /^has a box hdlr in a box minf$/),
  secondKind('metadata', (handler) => boxOf('meta', numbers(0), handler), /^has a box hdlr in a box meta$/),
];

const inFragment = (title: string, change: (content: Buffer) => Buffer, outcome: RegExp): Lie => ({
  title: `${title} in a fragment`,
  of: 'fragments.mp4',
  make: (bytes) => changedMp4(bytes, { 'moof/traf': change }),
  outcome,
});

const fragmentLies: readonly Lie[] = [
  inFragment(
    'two start times',
    (content) => boxOf('traf', content, boxOf('tfdt', numbers(0, 100 * 44_100))),
    /^has two boxes tfdt in a box traf$/,
  ),
  {
    title: 'a late start time of an unknown version in a fragment',
    of: 'fragments.mp4',
    make: tampered((copy) => {
      const at = copy.lastIndexOf('tfdt') + 4;
      copy.writeUInt8(2, at);
      copy.writeUInt32BE(100 * 44_100, at + 8);
    }),
    outcome: /^declares/,
  },
  inFragment(
    'samples outside a track',
    (content) => Buffer.concat([boxOf('traf', content), boxOf('trun', numbers(0, 1))]),
    /^has a box trun in a box moof$/,
  ),
];

export const boxLies: readonly Lie[] = [
  ...indexLies,
  ...trackLies,
  ...entryLies,
  ...packedLies,
  ...kindLies,
  ...fragmentLies,
];
