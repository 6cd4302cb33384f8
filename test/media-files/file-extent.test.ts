/** Truncated images: distinguished from complete ones by their structure, wherever they are cut and however they arrive. */
import * as fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileExtent, isTruncated } from '../../shared/media-files/file-extent.ts';

const noise = () =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: '#888', noise: { type: 'gaussian', sigma: 30 } } });

const files = new Map<string, Buffer>();
const fileOf = (name: string) => files.get(name) ?? expect.fail(`${name} was not made`);

beforeAll(async () => {
  files.set('a.png', await noise().png().toBuffer());
  files.set('a.webp', await noise().webp().toBuffer());
  files.set('a.jpg', await noise().withMetadata({ density: 300 }).jpeg().toBuffer());
  files.set('progressive.jpg', await noise().jpeg({ progressive: true }).toBuffer());
});
afterAll(() => files.clear());

/** Checks that every cut of the file after `from` is detected; `tolerated` bytes at its end may be missing. */
const cases: readonly (readonly [name: string, from: number, tolerated: number])[] = [
  ['a.png', 8, 8],
  ['a.webp', 12, 0],
  ['a.jpg', 8, 0],
  ['progressive.jpg', 8, 0],
];

/** Passes the file in chunks of these sizes, again and again. */
function inChunks(bytes: Uint8Array, sizes: readonly number[]): boolean | undefined {
  const extent = fileExtent();
  for (let at = 0, index = 0; at < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    extent.add(bytes.subarray(at, at + size));
    at += size;
  }
  return extent.isTruncated(bytes.length);
}

describe.each(cases)('the check for truncation of %s', (name, from, tolerated) => {
  test('accepts the whole file, even if other bytes follow it', () => {
    const bytes = fileOf(name);
    const longer = Buffer.concat([bytes, Buffer.from('TAG and more than eight bytes')]);
    for (const file of [bytes, longer]) expect(isTruncated(file)).toBe(false);
  });

  test('recognizes a truncated file wherever it is cut, in chunks of any size', () => {
    const bytes = fileOf(name);
    const cut = fc.integer({ min: from, max: bytes.length - tolerated - 1 });
    const chunks = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(cut, chunks, (length, sizes) => {
        expect([inChunks(bytes.subarray(0, length), sizes), inChunks(bytes, sizes)]).toEqual([true, false]);
      }),
    );
  });
});

test('a WebP is recognized as truncated by the size that it declares, before its data is read', () => {
  const bytes = fileOf('a.webp');
  const extent = fileExtent();
  extent.add(bytes.subarray(0, 40));
  expect([extent.isTruncated(bytes.length), extent.isTruncated(bytes.length - 1)]).toEqual([undefined, true]);
});

test('reading an image never fails with an error or hangs, whatever the bytes', () => {
  const damaged = fc
    .tuple(fc.constantFrom(...files.values()), fc.nat(2000), fc.uint8Array({ maxLength: 40 }))
    .map(([bytes, at, more]) => Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at + more.length)]));
  fc.assert(
    fc.property(damaged, (bytes) => {
      expect(inChunks(bytes, [700])).toBe(isTruncated(bytes));
    }),
    { numRuns: 300 },
  );
});
