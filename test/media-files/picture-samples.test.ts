/** Videos whose samples show several pictures are refused, however their other samples look. */
import { beforeAll, expect, test } from 'vitest';
import { av1Check, largestExamined, vp9Check } from '../../shared/media-files/picture-check.ts';
import { Work } from '../../shared/media-files/work.ts';
import { withPaddedFirst } from '../support/media/false-pictures.ts';
import { makeMedia } from '../support/media/made-media.ts';
import { measurementOf } from '../support/media/measured.ts';

let film: Buffer;
beforeAll(async () => {
  film = (await makeMedia(['silent.mp4'])).get('silent.mp4') ?? expect.fail('no video');
});

test('samples with several pictures are found although one large sample has almost all bytes of a file read in parts', () => {
  const bytes = withPaddedFirst(film, 2 ** 20);
  for (let run = 0; run < 20; run += 1) {
    expect(measurementOf(bytes, undefined, { isThorough: true }).found).toMatchObject({
      reason: 'has several pictures in a sample: export it again',
    });
  }
});

test.each([
  ['AV1', av1Check(Buffer.alloc(0), new Work())],
  ['VP9', vp9Check(new Work())],
])('a sample of %s that is too large to be examined is refused', (_, check) => {
  const sample = Buffer.alloc(16);
  check(sample, sample.length);
  expect(() => check(sample, largestExamined + 1)).toThrow('has a picture of more than 4 MB');
});
