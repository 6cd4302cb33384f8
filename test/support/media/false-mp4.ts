/** MP4 files that declare a wrong duration, each made from a correct file. */
import { boxOf, changedMp4, editsOf, manySamples, normalSpeed, numbers, paths, withNumber } from './changed-mp4.ts';
import { type Lie, tampered, twice } from './lie.ts';

const { table, edits, mediaHeader } = paths;
const clock = (factor: number) => (bytes: Buffer) =>
  changedMp4(bytes, { [mediaHeader]: withNumber('mdhd', 12, (units) => units * factor) });

const clockLies: readonly Lie[] = [
  {
    title: 'a leading box that other formats may follow',
    of: 'tone.m4a',
    make: (bytes) => Buffer.concat([boxOf('skip', Buffer.alloc(8)), bytes]),
    outcome: /^is not readable$/,
  },
  {
    title: 'two tables of sample sizes',
    of: 'tone.m4a',
    make: (bytes) =>
      changedMp4(bytes, { [`${table}/stsz`]: (sizes) => Buffer.concat([boxOf('stsz', sizes), boxOf('stz2', sizes)]) }),
    outcome: /^is not readable$/,
  },
  {
    title: 'PCM samples of an impossible bit depth',
    of: 'plain.mov',
    make: (bytes) =>
      changedMp4(bytes, {
        [`${table}/stsd`]: (content) => boxOf('stsd', tampered((copy) => copy.writeUInt16BE(64, 34))(content)),
      }),
    outcome: /^is not readable$/,
  },
  {
    title: 'two sets of defaults for a track’s fragments',
    of: 'fragments.mp4',
    make: (bytes) =>
      changedMp4(bytes, {
        'moov/mvex/trex': (content) => Buffer.concat([boxOf('trex', content), boxOf('trex', content)]),
      }),
    outcome: /^is not readable$/,
  },
  {
    title: 'a JPEG 2000 brand in its first box',
    of: 'tone.m4a',
    make: tampered((copy) => copy.write('jp2 ', 8)),
    outcome: /^is not readable$/,
  },
  {
    title: 'a time scale that is too high for decoders',
    of: 'tone.m4a',
    make: (bytes) => changedMp4(bytes, { [mediaHeader]: withNumber('mdhd', 12, () => 2 ** 31) }),
    outcome: /^is not readable$/,
  },
  {
    title: 'a time scale multiplied by 1,000',
    of: 'tone.m4a',
    make: clock(1000),
    outcome: /^declares 0\.0 seconds .* 6\.0/,
  },
  { title: 'a time scale multiplied by 60', of: 'tone.m4a', make: clock(60), outcome: /^declares/ },
  { title: 'a time scale divided by ten', of: 'tone.m4a', make: clock(0.1), outcome: /^declares/ },
  {
    title: 'a time scale multiplied by 60 for lossless sound',
    of: 'lossless.m4a',
    make: clock(60),
    outcome: /^declares/,
  },
  { title: 'a time scale multiplied by 60 for PCM sound', of: 'plain.mov', make: clock(60), outcome: /^declares/ },
  {
    title: 'a time scale multiplied by 60 for pictures',
    of: 'silent.mp4',
    make: clock(60),
    outcome: /more than 240 frames per second$|^declares/,
  },
  {
    title: 'frames that each last eight time units',
    of: 'tone.m4a',
    make: (bytes) => changedMp4(bytes, { [`${table}/stts`]: withNumber('stts', 12, () => 8) }),
    outcome: /^declares/,
  },
  {
    title: 'a false duration in its track header',
    of: 'tone.m4a',
    make: (bytes) => changedMp4(bytes, { [mediaHeader]: withNumber('mdhd', 16, (units) => units / 3) }),
    outcome: /^declares 2\.0 seconds in the header of a track of 6\.0 seconds$/,
  },
  {
    title: 'sound in a codec that cannot be measured',
    of: 'tone.m4a',
    make: tampered((copy) => copy.write('Opus', copy.indexOf('mp4a'))),
    outcome: /^contains sound in a codec whose duration cannot be measured \(Opus\)$/,
  },
];

const countLies: readonly Lie[] = [10_000_000, 50_000_000, 200_000_000].flatMap((count) =>
  [false, true].flatMap((isConsistent) =>
    (['silent.mp4', 'tone.m4a'] as const).map(
      (of): Lie => ({
        title: `${count} samples of one byte${isConsistent ? ' in one chunk' : ''}`,
        of,
        make: (bytes) => manySamples(bytes, count, isConsistent),
        outcome: isConsistent ? /^declares more samples than it has bytes for$|240 frames|^declares/ : /contradict/,
      }),
    ),
  ),
);

const indexLies: readonly Lie[] = [
  {
    title: 'sixty repeated edits',
    of: 'tone.m4a',
    make: (bytes) =>
      changedMp4(bytes, {
        [edits]: () => editsOf(...Array.from({ length: 60 }, () => [2000, 0, normalSpeed] as const)),
      }),
    outcome: /^has edits that play 121\.\d seconds/,
  },
  {
    title: 'a thousand very short edits',
    of: 'tone.m4a',
    make: (bytes) =>
      changedMp4(bytes, {
        [edits]: () => editsOf(...Array.from({ length: 1000 }, (_, index) => [6, 264 * index, normalSpeed] as const)),
      }),
    outcome: /^has edits that play 29\.\d seconds of media of 6/,
  },
  {
    title: 'an edit that hides most of its sound',
    of: 'tone.m4a',
    make: (bytes) => changedMp4(bytes, { [edits]: () => editsOf([1000, 0, normalSpeed]) }),
    outcome: /^has edits that play 1\.0 seconds/,
  },
  {
    title: 'an edit at double speed',
    of: 'film.mp4',
    make: (bytes) => changedMp4(bytes, { [edits]: () => editsOf([6000, 0, 2 * normalSpeed]) }),
    outcome: /another speed/,
  },
  {
    title: 'an edit that runs backwards',
    of: 'film.mp4',
    make: (bytes) => changedMp4(bytes, { [edits]: () => editsOf([6000, 0, -normalSpeed]) }),
    outcome: /another speed/,
  },
  {
    title: 'an edit that begins before the media',
    of: 'film.mp4',
    make: (bytes) => changedMp4(bytes, { [edits]: () => editsOf([6000, -5, normalSpeed]) }),
    outcome: /not readable/,
  },
  {
    title: 'a pause before the media',
    of: 'silent.mp4',
    make: (bytes) => changedMp4(bytes, { [edits]: () => editsOf([4000, -1, normalSpeed], [6000, 0, normalSpeed]) }),
    outcome: 10,
  },
  {
    title: 'a second index',
    of: 'tone.m4a',
    make: (bytes) => Buffer.concat([bytes, bytes.subarray(bytes.lastIndexOf('moov') - 4)]),
    outcome: /^has two indexes$/,
  },
  {
    title: 'a track outside the index',
    of: 'tone.m4a',
    make: (bytes) => Buffer.concat([bytes, boxOf('trak', Buffer.alloc(99))]),
    outcome: /outside of its index$/,
  },
  {
    title: 'a track in its user data',
    of: 'tone.m4a',
    make: (bytes) => changedMp4(bytes, { 'moov/udta': (content) => boxOf('udta', boxOf('trak', content)) }),
    outcome: /^has a box trak in a box udta$/,
  },
  {
    title: 'two tables of sample times',
    of: 'tone.m4a',
    make: (bytes) => changedMp4(bytes, { [`${table}/stts`]: (content) => twice(boxOf('stts', content)) }),
    outcome: /^has two boxes stts/,
  },
  {
    title: 'two tracks with the same id',
    of: 'tone.m4a',
    make: (bytes) => changedMp4(bytes, { 'moov/trak': (content) => twice(boxOf('trak', content)) }),
    outcome: /same id$/,
  },
  {
    title: 'a frame that is displayed an hour late',
    of: 'reordered.mp4',
    make: (bytes) =>
      changedMp4(bytes, {
        [`${table}/ctts`]: (content) => withNumber('ctts', content.length - 4, () => 3600 * 10_240)(content),
      }),
    outcome: /^declares 6\.0 seconds in the header of a track of 3605\.\d seconds$/,
  },
  {
    title: 'an impossible 64-bit box size',
    of: 'tone.m4a',
    make: (bytes) =>
      Buffer.concat([
        bytes.subarray(0, bytes.indexOf('mdat') - 4),
        numbers(1),
        Buffer.from('mdat'),
        numbers(0x7fff_ffff, 0),
        bytes,
      ]),
    outcome: /^has a box without an end$/,
  },
  { title: 'longer sound in a second track', of: 'tones.m4a', make: (bytes) => bytes, outcome: 6 },
];

export const mp4Lies: readonly Lie[] = [...clockLies, ...countLies, ...indexLies];
