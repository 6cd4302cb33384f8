/**
 * Matroska files with an element that decoders cannot parse, so that they look for the next cluster or tracks inside
 * its content.
 */
import type { Lie } from './lie.ts';
import { blockOf, clusterTime, element, hex, matroskaOf, type Sound } from './made-matroska.ts';

const plain: Sound = {
  codec: 'A_PCM/INT/LIT',
  setup: Buffer.alloc(0),
  rate: 8000,
  audio: [element('6264', Buffer.from([16]))],
};
const second = Buffer.alloc(16_000, 1);
const begin = [clusterTime(0), blockOf({ atMs: 0, packets: [second] })];
/**
 * Almost a minute of audio, in clusters outside of the file's structure: only a decoder that has lost track finds them.
 */
const hidden = Buffer.concat(
  Array.from({ length: 59 }, (_, index) =>
    element('1f43b675', clusterTime(1000 * (index + 1)), blockOf({ atMs: 0, packets: [second] })),
  ),
);
const tooLong = Buffer.alloc(9);
const group = (...content: readonly Buffer[]): Buffer => element('a0', ...content);

const unreadable = /^has elements that decoders cannot read/;
const misplaced = /^has an element where its format allows none$/;

const lie = (title: string, make: () => Buffer, outcome: Lie['outcome']): Lie => ({
  title,
  of: 'tone.mka',
  make,
  outcome,
});

const before = (title: string, outcome: RegExp, ...between: readonly Buffer[]): Lie =>
  lie(title, () => matroskaOf({ ...plain, between }, ...begin), outcome);

const inCluster = (title: string, outcome: RegExp, ...content: readonly Buffer[]): Lie =>
  lie(title, () => matroskaOf(plain, ...begin, ...content), outcome);

const behind = (title: string, id: string): Lie =>
  lie(
    `a hidden minute of sound in ${title} behind its segment`,
    () => Buffer.concat([matroskaOf(plain, ...begin), element(id, hidden)]),
    /^has bytes behind its media$/,
  );

const wrapped = (title: string, id: string): Lie =>
  lie(
    `a longer film in ${title} before its segment`,
    () => {
      const [short, long] = [matroskaOf(plain, ...begin), matroskaOf(plain, ...begin, hidden)];
      const at = short.indexOf('18538067', 0, 'hex');
      const segment = long.subarray(long.indexOf('18538067', 0, 'hex'));
      return Buffer.concat([short.subarray(0, at), element(id, segment), short.subarray(at)]);
    },
    misplaced,
  );

const unparsable: readonly Lie[] = [
  wrapped('padding', 'ec'),
  wrapped('a checksum', 'bf'),
  behind('padding', 'ec'),
  behind('a checksum', 'bf'),
  before(
    'a nine-byte integer in its tags, before a hidden minute of sound',
    unreadable,
    element('1254c367', element('7373', element('63c0', element('68ca', tooLong))), hidden),
  ),
  before(
    'a nine-byte integer in its chapters, before a hidden minute of sound',
    unreadable,
    element('1043a770', element('45b9', element('45bc', tooLong)), hidden),
  ),
  before(
    'a nine-byte integer in its index, before a hidden minute of sound',
    unreadable,
    element('1c53bb6b', element('bb', element('b3', tooLong)), hidden),
  ),
  before(
    'a nine-byte integer in its seek list, before a hidden minute of sound',
    unreadable,
    element('114d9b74', element('4dbb', element('53ac', tooLong)), hidden),
  ),
  before(
    'zeros in its tags, before a hidden minute of sound',
    unreadable,
    element('1254c367', Buffer.alloc(16), hidden),
  ),
  inCluster('a nine-byte integer in a block group', unreadable, group(element('fb', tooLong))),
  inCluster(
    'a nine-byte integer in the additional data of a block group',
    unreadable,
    group(element('75a1', element('a6', element('ee', tooLong)))),
  ),
  lie(
    'a three-byte floating-point number in its tracks',
    () => matroskaOf({ ...plain, track: [element('2383e3', Buffer.alloc(3))] }, ...begin),
    unreadable,
  ),
  inCluster('a cluster inside a cluster', misplaced, hidden),
  inCluster('an element in a cluster that Matroska does not define', misplaced, element('58d7', hidden)),
  inCluster('a block group that ends after its cluster', misplaced, hex('a0c0'), Buffer.alloc(4)),
  before('tags without an end', misplaced, hex('1254c367ff')),
  ...['466e', '467e', '4660'].map((id) =>
    before(
      `an attachment whose text ${id} is longer than decoders read, before a hidden minute of sound`,
      /^contains bytes that are no media$/,
      element('1941a469', element('61a7', element(id, Buffer.alloc(2 ** 16), hidden))),
    ),
  ),
];

const track = (number: number, type: string, codec: string, ...more: readonly Buffer[]): Buffer =>
  element(
    'ae',
    element('d7', Buffer.from([number])),
    element('83', hex(type)),
    element('86', Buffer.from(codec)),
    ...more,
  );

/** A block of the second track. */
const blockOfSecond = (content: Buffer): Buffer => element('a3', hex('82000080'), content);

const withTrack = (title: string, other: Buffer, content: Buffer, outcome: Lie['outcome']): Lie =>
  lie(title, () => matroskaOf({ ...plain, others: [other] }, ...begin, blockOfSecond(content)), outcome);

const trackLies: readonly Lie[] = [
  inCluster(
    'a hidden minute of sound in a block of an undeclared track',
    /^has media of a track that it does not describe$/,
    blockOfSecond(hidden),
  ),
  lie(
    'a video track whose packets are compressed',
    () =>
      matroskaOf(
        {
          ...plain,
          track: [element('83', hex('01')), element('86', Buffer.from('V_VP8')), element('6d80', element('6240'))],
        },
        ...begin,
      ),
    /compressed packets/,
  ),
  lie(
    'a first picture before its beginning, which decoders play at another time',
    () =>
      matroskaOf(
        { ...plain, track: [element('83', hex('01')), element('86', Buffer.from('V_VP8'))] },
        clusterTime(0),
        blockOf({ atMs: -1, packets: [second] }),
      ),
    /^has a picture before its beginning$/,
  ),
  lie(
    'packets that two descriptions say how to decode',
    () => matroskaOf({ ...plain, track: [element('6d80'), element('6d80')] }, ...begin),
    /^describes a track twice$/,
  ),
  withTrack('a track of menu buttons', track(2, '12', 'B_VOBBTN'), hidden, /^has a track of an unknown kind$/),
  withTrack('subtitles', track(2, '11', 'S_TEXT/UTF8'), Buffer.from('Hello'), 1),
  lie(
    'frames that do not divide their block evenly',
    () => matroskaOf(plain, clusterTime(0), element('a3', hex('8100008401'), Buffer.alloc(15))),
    /^is not readable$/,
  ),
  lie(
    'a picture that is shown longer than the last one',
    () =>
      matroskaOf(
        { ...plain, track: [element('83', hex('01')), element('86', Buffer.from('V_VP8'))] },
        clusterTime(0),
        group(element('9b', hex('0186a0')), element('a1', hex('8100008000'))),
        element('a3', hex('8100288000')),
      ),
    100,
  ),
];

/** A file with a list of elements that leads to tracks in padding, or to the index itself. */
function misled(leadsTo: 'padding' | 'itself'): Buffer {
  const place = Buffer.alloc(8);
  const seek = () => element('114d9b74', element('4dbb', element('53ab', hex('1254c367')), element('53ac', place)));
  const padding = element('ec', element('1654ae6b', track(2, '02', 'A_PCM/INT/LIT')));
  const make = () => matroskaOf({ ...plain, between: [seek(), padding] }, ...begin);
  const bytes = make();
  const segment = bytes.indexOf('18538067', 0, 'hex') + 9;
  const at =
    leadsTo === 'padding' ? bytes.lastIndexOf('1654ae6b', undefined, 'hex') : bytes.indexOf('ec0800', 0, 'hex');
  place.writeBigUInt64BE(BigInt(at - segment));
  return make();
}

/** The same video, declared to have another codec with a name of the same length. */
const ofOtherCodec: Lie = {
  title: 'a codec of which decoders find several pictures in a block',
  of: 'film.mkv',
  make: (bytes) => Buffer.from(bytes.toString('latin1').replace('V_MPEG4/ISO/AVC', 'V_MS/VFW/FOURCC'), 'latin1'),
  outcome:
    /^contains pictures in a codec whose duration cannot be measured \(V_MS\/VFW\/FOURCC\): export it as H\.264$/,
};

export const elementLies: readonly Lie[] = [
  ofOtherCodec,
  ...unparsable,
  ...trackLies,
  lie('a seek list that leads into padding', () => misled('padding'), /^has an index that does not lead/),
  lie('a seek list that leads to padding', () => misled('itself'), 1),
];
