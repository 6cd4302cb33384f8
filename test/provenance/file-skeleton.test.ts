/** The skeletons of files with very many parts. */
import { expect, test } from 'vitest';
import { UnmarkableFile } from '../../shared/platform/unmarkable-file.ts';
import { skeletonOf } from '../../shared/provenance/file-skeleton.ts';

/** The head of a file of each type, and the smallest part that it can have many of. */
const files: readonly (readonly [type: string, head: string, part: string])[] = [
  ['image/png', '89504e470d0a1a0a', '000000007445587400000000'],
  ['image/jpeg', 'ffd8', 'ffe10002'],
  ['image/webp', '524946460000000057454250', '4142434400000000'],
];

test.for(files)('a file of the type %s with over 100,000 parts cannot be marked', ([type, head, part]) => {
  const withParts = (count: number) => Buffer.from(head + part.repeat(count), 'hex');
  expect(skeletonOf(withParts(100_000), type).skeleton.length).toBeGreaterThan(0);
  expect(() => skeletonOf(withParts(100_001), type)).toThrow(UnmarkableFile);
});
