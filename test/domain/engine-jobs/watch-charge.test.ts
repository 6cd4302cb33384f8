/** A provider that changes its price: noticed by the charges that it states. */
import { expect, test } from 'vitest';
import { mainJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { watchCharge } from '../../../shared/domain/engine-jobs/watch-charge.ts';
import { testAccountOf } from '../../../shared/domain/test-account.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { aTask } from '../../support/test-table.ts';

const price = { per: 'character', micros: 100, statedMicros: 100, charged: [] } as const;
const task = aTask({ engine: 'elevenlabs', input: { text: 'x'.repeat(1000) }, enginePrices: { [mainJob]: price } });

function watched(units: number | undefined, given = task) {
  const [metrics, logger] = [recordedMetrics(), new RecordingLogger()];
  watchCharge({ logger, metrics }, given, mainJob, {
    status: 'done',
    outputs: [{ durationSec: 60 }],
    ...(units !== undefined && { charge: { units } }),
  });
  return { recorded: metrics.recorded, warnings: logger.warnings };
}

test.each([2000, 500, 1102])(
  'a charge of %d characters for a text of 1,000 is reported as unexpected, in a metric by engine and in the log',
  (units) => {
    const { recorded, warnings } = watched(units);
    expect(recorded).toEqual([[{ UnexpectedCharges: 1 }, { engine: 'elevenlabs' }]]);
    expect(warnings).toHaveLength(1);
  },
);

test.each([
  ['an unknown number of', undefined],
  ['0', 0],
  ['900', 900],
  ['1,000', 1000],
  ['1,101', 1101],
])('a charge of %s characters for a text of 1,000 is not reported as unexpected', (_, units) => {
  expect(watched(units)).toEqual({ recorded: [], warnings: [] });
});

test('a charge in units without a known price, or for a test task, is not counted as unexpected', () => {
  const { statedMicros: _unknown, ...unstated } = price;
  expect(watched(2000, { ...task, enginePrices: { [mainJob]: unstated } }).recorded).toEqual([]);
  expect(watched(2000, { ...task, accountId: testAccountOf(task.accountId) }).recorded).toEqual([]);
});
