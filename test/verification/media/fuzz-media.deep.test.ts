/** A short run of the fuzz of media files; `npm run fuzz:media` is the long one. */
import { expect, test } from 'vitest';
import { workLimits } from '../../../shared/media-files/work.ts';
import { seededNumbers } from '../../support/seeded-numbers.ts';
import { honestFiles } from './mutated-media.ts';
import { probeMutated } from './probe-mutated.ts';

test('each of 1,500 mutated media files is measured or rejected with a reason, within the reading and parsing limits', async () => {
  const report = probeMutated(await honestFiles(), 1500, seededNumbers(7));
  expect(report.unclassified).toEqual([]);
  expect(report.outcomes.measured).toBeGreaterThan(100);
  expect(report.outcomes.contradictory).toBeGreaterThan(100);
  expect(report.maxElements).toBeLessThanOrEqual(workLimits.elements);
  expect(report.maxScanned).toBeLessThanOrEqual(workLimits.scanned);
  expect(report.maxEntries).toBeLessThan(workLimits.entries / 10);
});
