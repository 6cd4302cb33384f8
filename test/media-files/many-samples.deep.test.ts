/** The work of measuring a file with very many samples is limited. */
import { expect, test } from 'vitest';
import { workLimits } from '../../shared/media-files/work.ts';
import { withManySamples } from '../support/media/false-samples.ts';
import { makeMedia } from '../support/media/made-media.ts';
import { measurementOf } from '../support/media/measured.ts';

test('an MP4 with hundreds of thousands of AAC samples of one byte, read as a stream, takes no more work than other files', async () => {
  const tone = (await makeMedia()).get('tone.m4a') ?? expect.fail('the file was not made');
  const count = 300_000;
  const { found, work } = measurementOf(withManySamples(tone, count), 65_536, { timer: () => 0 });
  expect(found).toMatchObject({ fault: 'excessive' });
  expect(work.elements).toBeLessThanOrEqual(workLimits.elements);
});
