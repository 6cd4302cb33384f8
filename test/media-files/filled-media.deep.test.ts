/**
 * Files with megabytes of a few repeated bytes take limited work, measured by how often each loop of the readers runs.
 */
import { afterAll, expect, test } from 'vitest';
import { executedBlocks } from '../support/executed-blocks.ts';
import { filled, filledPlaces, fills } from '../support/media/filled-media.ts';
import { measurementOf } from '../support/media/measured.ts';

const readers = '/shared/media-files/';
const megabytes = 4;
/**
 * The limit of how often any code may run, which is lower than the number of repeated patterns, so that no loop may run
 * for each of them.
 */
const maxRuns = 2_500_000;

const executed = await executedBlocks();
afterAll(() => executed.stop());

test.each(Object.entries(filledPlaces))(
  'a reader of media files stays within its work limit if the same bytes fill %s',
  async (_, make) => {
    await executed.max(readers);
    for (const [index, fill] of fills.entries()) {
      // The file is measured alternately in parts and as a stream, and never refused for the time that this takes.
      measurementOf(make(filled(megabytes * 2 ** 20, fill)), [undefined, 65_536][index % 2]);
      const runs = await executed.max(readers);
      expect(runs, `of ${fill}`).toBeGreaterThan(0);
      expect(runs, `of ${fill}`).toBeLessThan(maxRuns);
    }
  },
);
