/** Collects bytes in one block. */
import { expect, test } from 'vitest';
import { growingBlock } from '../../shared/platform/growing-block.ts';

const bytes = (length: number, first = 0) => Buffer.from(Array.from({ length }, (_, index) => (first + index) % 251));

test.for<[string, number[], number]>([
  ['no bytes', [], 10],
  ['one chunk', [5], 10],
  ['chunks of one byte', Array.from({ length: 300 }, () => 1), 1000],
  ['more than its first allocation in small parts', [16_000, 1000, 1000], 100_000],
  ['more than twice its first allocation at once', [10, 50_000, 3], 100_000],
  ['exactly as much as its first allocation', [16_384], 100_000],
  ['a byte more than its first allocation', [16_384, 1], 16_385],
  ['more than its limit', [10, 10, 10], 15],
])('a growing memory block keeps bytes up to its limit and returns the rest (%s)', ([, lengths, maxBytes]) => {
  const chunks = lengths.map((length, index) => bytes(length, index));
  const block = growingBlock(maxBytes);
  const rests = chunks.map((chunk) => block.add(chunk));
  const whole = Buffer.concat(chunks);
  expect(whole.subarray(0, maxBytes).equals(block.bytes())).toBe(true);
  expect(whole.subarray(maxBytes).equals(Buffer.concat(rests))).toBe(true);
});

test('a growing memory block starts small, and never takes more memory than its limit or twice its contents', () => {
  const roomFor = (length: number, maxBytes: number) => {
    const block = growingBlock(maxBytes);
    block.add(bytes(length));
    return block.bytes().buffer.byteLength;
  };
  expect(roomFor(1, 1_000_000)).toBe(16_384);
  expect(roomFor(1, 100)).toBe(100);
  expect(roomFor(16_384, 1_000_000)).toBe(16_384);
  expect(roomFor(20_000, 1_000_000)).toBe(32_768);
  expect(roomFor(20_000, 21_000)).toBe(21_000);
  expect(roomFor(40_000, 1_000_000)).toBe(40_000);
});
