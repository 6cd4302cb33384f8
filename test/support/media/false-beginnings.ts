/** Files at whose beginning decoders recognize another format, or a tag of another length. */
import { boxOf, numbers } from './changed-mp4.ts';
import { changedIndex } from './false-boxes.ts';
import { id3 } from './false-frames.ts';
import { type Lie, tampered } from './lie.ts';

const anotherFormat = /^begins with another format/;

/** Replaces the first two boxes by a single one, which contains the signature of NUT. */
const withNut = (type: string): Lie => ({
  title: `the signature of NUT in its first box, ${type}`,
  of: 'tone.m4a',
  make: tampered((copy) => {
    copy.writeUInt32BE(copy.indexOf('mdat') - 4);
    copy.write(type, 4);
    copy.write('4e4d7a561f5f04ad', 8, 'hex');
  }),
  outcome: anotherFormat,
});

/** The file's audio behind a tag with the footer flag, with or without a footer. */
const footed = (version: number, hasFooter: boolean) => (bytes: Buffer) => {
  const tag = tampered((copy) => copy.fill(version, 3, 4).fill(0x10, 5, 6))(id3(Buffer.alloc(20)));
  const footer = Buffer.concat([Buffer.from('3DI'), tag.subarray(3, 10)]);
  return Buffer.concat([tag, hasFooter ? footer : Buffer.alloc(0), bytes.subarray(bytes.indexOf('fffb', 0, 'hex'))]);
};

export const beginningLies: readonly Lie[] = [
  withNut('free'),
  withNut('wide'),
  {
    title: 'the handler of a program stream in free space of its index',
    of: 'fragments.mp4',
    make: (bytes) => changedIndex(bytes, boxOf('free', Buffer.from('hdlr'), numbers(0), Buffer.from('mhlrMPEG'))),
    outcome: anotherFormat,
  },
  { title: 'a tag with a footer', of: 'bare.mp3', make: footed(4, true), outcome: 6.1 },
  {
    title: 'a tag without the footer that it declares',
    of: 'bare.mp3',
    make: footed(4, false),
    outcome: /^is not readable$/,
  },
  {
    title: 'an older tag that declares a footer',
    of: 'bare.mp3',
    make: footed(3, false),
    outcome: /^has a tag that can be read in two ways/,
  },
];
