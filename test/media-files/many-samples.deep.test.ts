/** A file with too many samples to check is refused before any of them is checked. */
import { expect, test } from 'vitest';
import { withManySamples } from '../support/media/false-samples.ts';
import { makeMedia } from '../support/media/made-media.ts';
import { measurementOf } from '../support/media/measured.ts';

test('an MP4 with hundreds of thousands of AAC samples of one byte, read as a stream, is refused before its samples are read', async () => {
  const tone = (await makeMedia()).get('tone.m4a') ?? expect.fail('the file was not made');
  const count = 300_000;
  const { found, work } = measurementOf(withManySamples(tone, count), 65_536, { timer: () => 0 });
  expect(found).toMatchObject({ fault: 'excessive' });
  expect(work.elements).toBeLessThan(100);
});
