/** MP4 files whose audio samples have impossible sizes or lie outside of the media data. */
import { boxOf, changedMp4, numbers, paths } from './changed-mp4.ts';
import { named, withEntry } from './false-boxes.ts';
import { withSamples } from './false-samples.ts';
import { type Lie, tampered } from './lie.ts';

const { table } = paths;

/**
 * AMR audio with samples of this size. The samples need not exist, because the file is rejected before they are read.
 */
const amr = (size: number) => (bytes: Buffer) =>
  changedMp4(
    withEntry(bytes, () => [Buffer.alloc(28)]),
    {
      [`${table}/stsz`]: () => boxOf('stsz', numbers(0, size, 10)),
      [`${table}/stts`]: () => boxOf('stts', numbers(0, 1, 10, 882)),
      [`${table}/stsc`]: () => boxOf('stsc', numbers(0, 1, 1, 10, 1)),
      [`${table}/stco`]: () => boxOf('stco', numbers(0, 1, 48)),
      'moov/trak/mdia/mdhd': (content) => {
        const copy = Buffer.from(content);
        copy.writeUInt32BE(8820, 16);
        return boxOf('mdhd', copy);
      },
      'moov/trak/edts': () => Buffer.alloc(0),
    },
  );

const severalFrames = /^has sound with more than one frame in a sample$/;

export const soundLies: readonly Lie[] = [
  {
    title: 'several AMR frames in each sample',
    of: 'tone.m4a',
    make: named('samr')(amr(64)),
    outcome: severalFrames,
  },
  {
    title: 'AAC samples in free space',
    of: 'tone.m4a',
    make: tampered((copy) => copy.write('free', copy.indexOf('mdat'))),
    outcome: /^has sound outside of its media/,
  },
  {
    title: 'an AAC sample that begins in its media and ends in free space',
    of: 'tone.m4a',
    make: (bytes) => {
      const shorter = withSamples(bytes, (samples) =>
        samples.map((sample) => Buffer.concat([sample, Buffer.alloc(9)])),
      );
      const [media, end] = [shorter.indexOf('mdat') - 4, shorter.lastIndexOf('moov') - 4];
      shorter.writeUInt32BE(end - 8 - media, media);
      shorter.set(boxOf('free'), end - 8);
      return shorter;
    },
    outcome: /^has sound outside of its media/,
  },
];
