/** Files with very many samples take little work and memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { SampleRuns } from '../../shared/media-files/sample-runs.ts';
import { withManySamples } from '../support/media/false-samples.ts';
import { makeMedia } from '../support/media/made-media.ts';
import { measurementOf } from '../support/media/measured.ts';

test('an MP4 stream with hundreds of thousands of one-byte AAC samples is refused before the samples are read', async () => {
  const tone = (await makeMedia()).get('tone.m4a') ?? expect.fail('the file was not made');
  const count = 300_000;
  const { found, work } = measurementOf(withManySamples(tone, count), 65_536);
  expect(found).toMatchObject({ fault: 'excessive' });
  expect(work.elements).toBeLessThan(100);
});

test('a video’s sample index takes less than 50 bytes of memory for each run of two samples, and returns every sample’s position and size', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const memory = (): number => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const count = 200_000;
  const before = memory();
  const runs = new SampleRuns();
  for (let run = 0; run < count; run += 1) runs.add(10 * run, 2, Uint32Array.of(3, run % 7));
  // Arrays grow to at most twice the size that they need.
  expect(memory() - before).toBeLessThan(2 * 50 * count);
  const seen = { runs: 0, places: 0, bytes: 0 };
  runs.each(
    () => {
      seen.runs += 1;
    },
    (at, size) => {
      seen.places += at;
      seen.bytes += size;
    },
  );
  const places = Array.from({ length: count }, (_, run) => 10 * run * 2 + 3).reduce((sum, place) => sum + place, 0);
  const bytes = Array.from({ length: count }, (_, run) => 3 + (run % 7)).reduce((sum, size) => sum + size, 0);
  expect(seen).toEqual({ runs: count, places, bytes });
});
