/** Media files of all formats that declare a wrong duration, each made from a correct file. */
import { beginningLies } from './false-beginnings.ts';
import { boxLies } from './false-boxes.ts';
import { chainLies } from './false-chains.ts';
import { elementLies } from './false-elements.ts';
import { fragmentLies } from './false-fragments.ts';
import { frameLies } from './false-frames.ts';
import { headerLies } from './false-headers.ts';
import { mp4Lies } from './false-mp4.ts';
import { packedLies } from './false-packets.ts';
import { pageLies } from './false-pages.ts';
import { pictureLies } from './false-pictures.ts';
import { sampleLies } from './false-samples.ts';
import { setupLies } from './false-setups.ts';
import { soundLies } from './false-sound.ts';
import { wavLies } from './false-wav.ts';
import { wrapperLies } from './false-wrappers.ts';
import { type Lie, tampered, twice } from './lie.ts';
import { oggPage, pagesOf } from './ogg-pages.ts';

/** The position of an element's content, whose size takes one byte. */
const contentOf = (bytes: Buffer, id: string): number => bytes.indexOf(id, 0, 'hex') + id.length / 2 + 1;

const granules = (change: (granule: bigint, page: number) => bigint) =>
  tampered((copy) => {
    for (const [page, at] of pagesOf(copy).entries()) {
      copy.writeBigInt64LE(change(copy.readBigInt64LE(at + 6), page), at + 6);
    }
  });

/** Gives the stream another serial number. */
const renumbered = tampered((copy) => {
  for (const at of pagesOf(copy)) copy.writeUInt32LE(7, at + 14);
});

/** The first page of a stream of texts. */
const textsNumbered = (serial: number): Buffer => oggPage(Buffer.from('CMML\0\0\0\0'), { flags: 2, serial });

/** Tracks without content, each of which takes an entry of five bytes. */
const manyTracks = (bytes: Buffer): Buffer => {
  const at = bytes.indexOf('1654ae6b', 0, 'hex');
  const tracks = Buffer.from(`1654ae6b4145${'ae83d7810a'.repeat(65)}`, 'hex');
  return Buffer.concat([bytes.subarray(0, at), tracks, bytes.subarray(at)]);
};

/** Inserts room for an index of two megabytes before a cluster. */
const padded = (bytes: Buffer): Buffer => {
  const at = bytes.lastIndexOf('1f43b675', undefined, 'hex');
  return Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from('ec10200000', 'hex'),
    Buffer.alloc(2 ** 21),
    bytes.subarray(at),
  ]);
};

/** Inserts another description before the file's last cluster. */
const describedLate = (bytes: Buffer): Buffer => {
  const at = bytes.lastIndexOf('1f43b675', undefined, 'hex');
  return Buffer.concat([bytes.subarray(0, at), Buffer.from('1549a966872ad7b1830f4240', 'hex'), bytes.subarray(at)]);
};

/** Inserts other bytes in the file's head, whose size takes eight bytes. */
const headed = (bytes: Buffer): Buffer => {
  const content = bytes.subarray(12, bytes.indexOf('18538067', 0, 'hex'));
  const size = Buffer.alloc(8);
  const padding = Buffer.concat([Buffer.from('ec44b0', 'hex'), Buffer.alloc(0x4b0)]);
  size.writeBigUInt64BE(2n ** 56n + BigInt(padding.length + content.length));
  const rest = bytes.subarray(bytes.indexOf('18538067', 0, 'hex'));
  return Buffer.concat([Buffer.from('1a45dfa3', 'hex'), size, padding, content, rest]);
};

const streamLies: readonly Lie[] = [
  {
    title: 'a second segment description',
    of: 'live.webm',
    make: describedLate,
    outcome: /^describes itself twice or too late$/,
  },
  {
    title: 'padding in its EBML header',
    of: 'live.webm',
    make: headed,
    outcome: /^begins with bytes that are no media$/,
  },
  {
    title: 'no document type in its EBML header',
    of: 'live.webm',
    make: tampered((copy) => copy.writeUInt16BE(0x4281, copy.indexOf('4282', 0, 'hex'))),
    outcome: /^is not readable$/,
  },
  {
    title: 'a Vorbis header among its sound packets',
    of: 'vorbis.ogg',
    make: tampered((copy) => {
      const last = pagesOf(copy).at(-1) ?? 0;
      const packet = last + 27 + (copy[last + 26] ?? 0);
      copy.writeUInt8((copy[packet] ?? 0) | 1, packet);
    }),
    outcome: /^has headers of Vorbis in its packets$/,
  },
  {
    title: 'a page of an unknown version',
    of: 'opus.ogg',
    make: tampered((copy) => copy.writeUInt8(1, 4)),
    outcome: /^is not readable$/,
  },
  {
    title: 'a page with an undefined flag',
    of: 'opus.ogg',
    make: tampered((copy) => copy.writeUInt8(2 + 8, 5)),
    outcome: /^is not readable$/,
  },
  {
    title: 'two megabytes of padding before a cluster',
    of: 'live.webm',
    make: padded,
    outcome: /^contains bytes that are no media$/,
  },
  { title: 'more tracks than any film has', of: 'live.webm', make: manyTracks, outcome: /^is too complex/ },
  {
    title: 'a stream in an unknown codec',
    of: 'opus.ogg',
    make: tampered((copy) => copy.write('OpusHeap', copy.indexOf('OpusHead'))),
    outcome: /cannot be measured \(Ogg stream/,
  },
  {
    title: 'FLAC frames whose rate differs from the header',
    of: 'flac.ogg',
    make: tampered((copy) => copy.writeUIntBE(0x2ee0_00, copy.indexOf('fLaC') + 18, 3)),
    outcome: /^changes its sample rate$/,
  },
  {
    title: 'texts in a stream with the number of its sound, whose pages decoders take for sound',
    of: 'opus.ogg',
    make: (bytes) => Buffer.concat([bytes, textsNumbered(bytes.readUInt32LE(14))]),
    outcome: /^has two streams with the same number$/,
  },
  {
    title: 'a second Opus stream after its own',
    of: 'opus.ogg',
    make: (bytes) => Buffer.concat([bytes, renumbered(bytes)]),
    outcome: 12,
  },
  {
    title: 'a second Vorbis stream after its own',
    of: 'vorbis.ogg',
    make: (bytes) => Buffer.concat([bytes, renumbered(bytes)]),
    outcome: 12,
  },
  {
    title: 'a stream in another codec after its own',
    of: 'vorbis.ogg',
    make: (bytes, files) => Buffer.concat([bytes, renumbered(files.get('opus.ogg') ?? bytes)]),
    outcome: 12,
  },
  {
    title: 'Opus page positions divided by ten',
    of: 'opus.ogg',
    make: granules((granule) => granule / 10n),
    outcome: /^declares/,
  },
  {
    title: 'Vorbis page positions divided by ten',
    of: 'vorbis.ogg',
    make: granules((granule) => granule / 10n),
    outcome: /^declares/,
  },
  {
    title: 'page positions that jump back',
    of: 'opus.ogg',
    make: granules((granule, page) => (page > 4 ? 48_000n : granule)),
    outcome: /^declares/,
  },
  {
    title: 'a beginning that players skip',
    of: 'opus.ogg',
    make: tampered((copy) => copy.writeUInt16LE(65_000, copy.indexOf('OpusHead') + 10)),
    outcome: 4.7,
  },
  {
    title: 'a page of a stream that never begins',
    of: 'opus.ogg',
    make: tampered((copy) => copy.writeUInt32LE(9, (pagesOf(copy)[3] ?? 0) + 14)),
    outcome: /does not begin$/,
  },
  {
    title: 'time units a thousand times as short',
    of: 'tone.webm',
    make: tampered((copy) => copy.writeUIntBE(1000, contentOf(copy, '2ad7b1'), 3)),
    outcome: /^declares/,
  },
  {
    title: 'time units of pictures a thousand times as short',
    of: 'film.mkv',
    make: tampered((copy) => copy.writeUIntBE(1000, contentOf(copy, '2ad7b1'), 3)),
    outcome: /^declares|240 frames/,
  },
  {
    title: 'a declared duration of a second',
    of: 'film.webm',
    make: tampered((copy) => copy.writeDoubleBE(1000, contentOf(copy, '4489'))),
    outcome: /^declares 1\.0 seconds of picture, but contains 6\.0/,
  },
  {
    title: 'a declared duration of an hour',
    of: 'tone.mka',
    make: tampered((copy) => copy.writeDoubleBE(3_600_000, contentOf(copy, '4489'))),
    outcome: /^declares 3600\.0 seconds/,
  },
  { title: 'a second film after its own', of: 'film.webm', make: twice, outcome: /^has bytes behind its media$/ },
  {
    title: 'a sound codec that cannot be measured',
    of: 'tone.webm',
    make: tampered((copy) => copy.write('A_DTSX', copy.indexOf('A_OPUS'))),
    outcome: /cannot be measured \(A_DTSX\)$/,
  },
  { title: 'clusters of unknown sizes', of: 'live.webm', make: (bytes) => bytes, outcome: 6 },
];

export const lies: readonly Lie[] = [
  ...mp4Lies,
  ...fragmentLies,
  ...boxLies,
  ...wavLies,
  ...frameLies,
  ...streamLies,
  ...packedLies,
  ...pageLies,
  ...elementLies,
  ...headerLies,
  ...setupLies,
  ...soundLies,
  ...chainLies,
  ...pictureLies,
  ...sampleLies,
  ...beginningLies,
  ...wrapperLies,
];
