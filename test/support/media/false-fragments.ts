/** Fragmented MP4 files that declare a wrong duration, each made from a correct file. */
import { boxOf, changedMp4, editsOf, normalSpeed, numbers } from './changed-mp4.ts';
import { type Lie, tampered } from './lie.ts';

/** Adds edits to each track of a file that has none. */
const withEdits = (bytes: Buffer, ...entries: readonly (readonly [duration: number, from: number, rate: number])[]) =>
  changedMp4(bytes, { 'moov/trak/mdia': (content) => Buffer.concat([editsOf(...entries), boxOf('mdia', content)]) });

/** Adds an index of the file's fragments, in which each has the given duration. */
function indexed(bytes: Buffer, seconds: number): Buffer {
  const sizes: number[] = [];
  const first = bytes.indexOf('moof') - 4;
  for (let at = first; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const size = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'moof') sizes.push(size);
    else if (type === 'mdat') sizes.push((sizes.pop() ?? 0) + size);
    else break;
  }
  const entries = sizes.flatMap((size) => [size, seconds * 1000, 0]);
  const index = boxOf('sidx', numbers(0, 1, 1000, 0, 0, sizes.length, ...entries));
  return Buffer.concat([bytes.subarray(0, first), index, bytes.subarray(first)]);
}

export const fragmentLies: readonly Lie[] = [
  {
    title: 'a fragment index with start times that are too late',
    of: 'fragments.mp4',
    make: (bytes) => indexed(bytes, 100),
    outcome: /^has an index of fragments that contradicts them$/,
  },
  {
    title: 'a correct fragment index',
    of: 'fragments.mp4',
    make: (bytes) => indexed(bytes, 1),
    outcome: 6,
  },
  {
    title: 'a fragment index in its user data',
    of: 'tone.m4a',
    make: (bytes) => changedMp4(bytes, { 'moov/udta': (content) => boxOf('udta', boxOf('sidx', content)) }),
    outcome: /^has a box sidx in a box udta$/,
  },
  {
    title: 'edits in addition to fragments',
    of: 'hybrid.mp4',
    make: (bytes) => withEdits(bytes, [1000, 0, normalSpeed], [1000, 0, normalSpeed]),
    outcome: /^has edits beside fragments/,
  },
  {
    title: 'a pause before its fragments',
    of: 'fragments.mp4',
    make: (bytes) => withEdits(bytes, [4000, -1, normalSpeed], [0, 0, normalSpeed]),
    outcome: 10,
  },
  {
    title: 'every fragment twice',
    of: 'fragments.mp4',
    make: (bytes) => Buffer.concat([bytes, bytes.subarray(bytes.indexOf('moof') - 4)]),
    outcome: 12,
  },
  {
    title: 'a fragment that begins an hour late',
    of: 'fragments.mp4',
    make: tampered((copy) => copy.writeUInt32BE(3600 * 44_100, copy.lastIndexOf('tfdt') + 12)),
    outcome: /^declares/,
  },
  {
    title: 'a fragment that begins long after the samples of its index',
    of: 'hybrid.mp4',
    make: tampered((copy) => copy.writeUInt32BE(100 * 10_240, copy.indexOf('tfdt') + 12)),
    outcome: 101,
  },
  {
    title: 'a frame that is displayed long before the others of its fragment',
    of: 'fragments.mp4',
    make: (bytes) => {
      const early = (data: number) => numbers(0x0100_0801, 10, data, -100 * 10_240, ...Array(9).fill(0));
      const last = bytes.lastIndexOf('moof') - 4;
      const fragment = (data: number) => {
        // The second track, which is audio, gets no samples.
        const runs = [boxOf('trun', early(data))];
        return changedMp4(bytes.subarray(last), { 'moof/traf/trun': () => runs.pop() ?? Buffer.alloc(0) });
      };
      const data = fragment(0).readUInt32BE(0) + 8;
      return Buffer.concat([bytes.subarray(0, last), fragment(data)]);
    },
    outcome: 101,
  },
  {
    title: 'a second run of samples without a position, which some decoders read elsewhere',
    of: 'fragments.mp4',
    make: (bytes) =>
      changedMp4(bytes, {
        'moof/traf/trun': (content) => Buffer.concat([boxOf('trun', content), boxOf('trun', numbers(0, 1))]),
      }),
    outcome: /^has a run of samples without a position$/,
  },
  {
    title: 'parts of a fragment without positions',
    of: 'fragments.mp4',
    make: (bytes) =>
      changedMp4(bytes, {
        'moof/traf/tfhd': (content) =>
          boxOf('tfhd', tampered((copy) => copy.writeUInt32BE(copy.readUInt32BE(0) & ~0x02_0001, 0))(content)),
      }),
    outcome: /^has a fragment without a position$/,
  },
  {
    title: 'ten million samples in a fragment',
    of: 'fragments.mp4',
    make: (bytes) => changedMp4(bytes, { 'moof/traf/trun': () => boxOf('trun', numbers(0, 10_000_000)) }),
    outcome: /^has fragments without end$/,
  },
];
