/** MP4 files with an index or a fragment in places that are hard to reach, where some players still find it. */
import { boxOf, numbers } from './changed-mp4.ts';
import { indexOf } from './false-boxes.ts';
import { type Lie, tampered } from './lie.ts';

const atItsEnd = (title: string, make: (index: Buffer) => Buffer, outcome: RegExp): Lie => ({
  title,
  of: 'tone.m4a',
  make: (bytes) => Buffer.concat([bytes, make(indexOf(bytes))]),
  outcome,
});

const handler = boxOf('hdlr', numbers(0, 0), Buffer.from('mdir'), numbers(0, 0, 0, 0));

export const wrapperLies: readonly Lie[] = [
  {
    title: 'a last fragment that claims to end beyond 2⁵³ bytes',
    of: 'fragments.mp4',
    make: (bytes) => {
      const at = bytes.lastIndexOf('moof');
      return Buffer.concat([
        bytes.subarray(0, at - 4),
        numbers(1),
        Buffer.from('moof'),
        numbers(2 ** 30, 0),
        bytes.subarray(at + 4),
      ]);
    },
    outcome: /^has a box without an end$/,
  },
  ...['dinf', 'tref', 'sinf', 'ilst'].map((type) =>
    atItsEnd(
      `a second index behind a megabyte of free space in a box ${type}`,
      (index) => boxOf(type, boxOf('free', Buffer.alloc(2 ** 20)), index),
      /^is too complex/,
    ),
  ),
  atItsEnd(
    'a second index in a box dinf that ends after the one that contains it',
    (index) => boxOf('dinf', tampered((copy) => copy.writeUInt32BE(2 ** 30))(boxOf('dinf', index))),
    /^has a box dinf without an end$/,
  ),
  atItsEnd(
    'a second index in free space of metadata, behind a handler',
    (index) => boxOf('meta', boxOf('free', handler, index)),
    /^has a box moov in a box meta$/,
  ),
];
