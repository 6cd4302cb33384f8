/** Where a block of AAC ends, which determines how many blocks of a packet decoders play. */
import { describe, expect, test } from 'vitest';
import { AacBlocks } from '../../shared/media-files/aac-block.ts';
import { bookOf, escapeBook, scaleBook } from '../../shared/media-files/aac-codes.ts';
import { aacRates } from '../../shared/media-files/aac-config.ts';
import { aacCheck } from '../../shared/media-files/aac-packet.ts';
import { BitWriter, BlockMaker, wordsOf } from '../support/media/made-aac.ts';
import { seededNumbers } from '../support/seeded-numbers.ts';

describe('the codewords of an AAC codebook cover all bit patterns, and none is a prefix of another:', () => {
  test.for([
    ...[81, 81, 81, 81, 81, 81, 64, 64, 169, 169].map(
      (count, index) => [`book ${index + 1}`, bookOf(index + 1), count] as const,
    ),
    ['book 11', escapeBook, 289] as const,
    ['the book of scale factors', scaleBook, 121] as const,
  ])('%s', ([, book, count]) => {
    const words = wordsOf(book);
    expect(words).toHaveLength(count);
    expect(words.reduce((sum, { length }) => sum + 2 ** -length, 0)).toBe(1);
  });
});

test.for(aacRates.map((rate, index) => [rate, index] as const))(
  'the reader of AAC finds the exact end of a block at %i Hz, whichever coding tools the block uses',
  ([, rateIndex]) => {
    const maker = new BlockMaker(seededNumbers(rateIndex + 1), rateIndex);
    const blocks = new AacBlocks(rateIndex);
    for (let index = 0; index < 60; index += 1) {
      const block = maker.block(index % 2 === 0 ? 1 : 2);
      expect(blocks.bytesOf(Buffer.concat([block, block]))).toBe(block.length);
      expect(blocks.bytesOf(block.subarray(0, -1))).toBeUndefined();
    }
  },
);

const ofSilence = (bits: BitWriter): BitWriter => bits.add(0, 7).add(100, 8).add(0, 11);

/** Dynamic range control that excludes groups of seven channels, with one level. */
function excluding(groups: number, bits: BitWriter): BitWriter {
  bits.add(11, 4).add(0b01, 2);
  for (let left = groups; left > 0; left -= 1) bits.add(left > 1 ? 1 : 0, 8);
  return bits.add(0, 2).add(0, 8);
}

describe('a block of AAC that decoders would read in different ways', () => {
  test.for([
    ['gain control', (bits: BitWriter) => ofSilence(bits).add(0b001, 3)],
    ['prediction, which AAC-LC does not have', (bits: BitWriter) => bits.add(0, 7).add(100, 8).add(1, 11).add(0, 3)],
    ['a coupling channel', (bits: BitWriter) => bits.add(2, 3).add(0, 40)],
    ['a reserved section', (bits: BitWriter) => bits.add(0, 7).add(100, 8).add(0b10, 11).add(12, 4).add(1, 5)],
    [
      'more bands than there are',
      (bits: BitWriter) =>
        bits
          .add(0, 7)
          .add(100, 8)
          .add(63 << 1, 11),
    ],
    ['pulses in short windows', (bits: BitWriter) => bits.add(0, 7).add(100, 8).add(0b0100, 4).add(0, 11).add(1, 1)],
    ['spectral band replication before its sound', (bits: BitWriter) => bits.add(6, 3).add(2, 4).add(13, 4).add(0, 12)],
    [
      'a dynamic range that is longer than its padding',
      (bits: BitWriter) => bits.add(6, 3).add(1, 4).add(0xb0, 8).add(0, 8),
    ],
    [
      'a list of 63 channels without dynamic range control, after which decoders stop',
      (bits: BitWriter) => excluding(9, bits.add(6, 3).add(11, 4)),
    ],
    ['a mask of a reserved kind', (bits: BitWriter) => bits.add(1, 3).add(0, 4).add(1, 1).add(0, 11).add(3, 2)],
  ] as const)('is refused if it has %s', ([, make]) => {
    const block = make(new BitWriter()).add(7, 3).bytes();
    expect(() => new AacBlocks(4).bytesOf(Buffer.concat([block, Buffer.alloc(20)]))).toThrow('decoders cannot read');
  });

  test('is distinguished from a block with a complete list of excluded channels, which is accepted', () => {
    const block = excluding(8, new BitWriter().add(6, 3).add(10, 4)).add(7, 3).bytes();
    expect(new AacBlocks(4).bytesOf(Buffer.concat([block, block]))).toBe(block.length);
  });

  test('is distinguished from a block of silence, which is accepted', () => {
    const silence = ofSilence(new BitWriter()).add(0, 3).add(7, 3).bytes();
    expect(silence).toHaveLength(4);
    expect(new AacBlocks(4).bytesOf(Buffer.concat([silence, silence]))).toBe(4);
  });
});

test('bytes after an AAC block are accepted if they are zeros, or fewer than the shortest block has', () => {
  const silence = ofSilence(new BitWriter()).add(0, 3).add(7, 3).bytes();
  const check = aacCheck(4, 'packet');
  const followedBy = (...bytes: number[]) => check(Buffer.concat([silence, Buffer.from(bytes)]));
  followedBy(1, 2, 3);
  followedBy(0, 0, 0, 0);
  expect(() => followedBy(0, 0, 0, 1)).toThrow('more than one frame in a packet');
});
