/** The log for operators when a reader of media files has a bug; the file's owner is told that the file is damaged. */
import { expect, test } from 'vitest';
import { measureWalk } from '../../shared/media-files/measure-walk.ts';
import { measureFile } from '../../shared/media-files/read-media.ts';
import { readerFailureReporter } from '../../shared/runtime/report-reader-failure.ts';
import { recordedMetrics } from '../support/recorded-metrics.ts';
import { tinyWav } from '../support/tiny-sound.ts';

test('an error of a reader of media files is counted and logged with only its name, and the file counts as unreadable', async () => {
  const lines: unknown[][] = [];
  const metrics = recordedMetrics();
  const readerFailed = readerFailureReporter({
    logger: { error: (...line: unknown[]) => void lines.push(line) },
    metrics,
  });
  const bytes = tinyWav(1);
  const file = {
    access: 'ranges',
    size: bytes.length,
    read: async (from: number, to: number) => bytes.subarray(from, to),
  } as const;
  const broken = () => {
    throw new RangeError('a secret');
  };
  const found = await measureFile(file, {
    readerFailed,
    start: (shape) => {
      const walk = measureWalk(shape, broken);
      return { next: (read) => walk.next(read), close: () => undefined };
    },
  });
  expect(found).toEqual({ fault: 'unreadable', reason: 'is not readable', error: 'RangeError' });
  expect(lines).toEqual([['reader of media files failed', { fault: 'RangeError' }]]);
  expect(metrics.recorded).toEqual([[{ MediaReaderFailures: 1 }]]);
  expect(await measureFile(file, { readerFailed })).toMatchObject({ durationSec: 1 });
  expect(lines).toHaveLength(1);
});
