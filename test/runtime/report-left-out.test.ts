/** The log and metrics for operators when a row is left out of a list. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { parseRow } from '../../shared/domain/stored-row.ts';
import { leftOutReporter } from '../../shared/runtime/report-left-out.ts';
import { recordedMetrics } from '../support/recorded-metrics.ts';

test('a row that is left out of a list because it is damaged is counted by its kind and logged without its contents', () => {
  const lines: unknown[][] = [];
  const metrics = recordedMetrics();
  const report = leftOutReporter({ logger: { error: (...line: unknown[]) => void lines.push(line) }, metrics });
  const faults = [
    () => parseRow('message', z.object({ text: z.literal('x') }), { text: 'a secret' }),
    () => JSON.parse('a secret'),
    () => {
      throw 'a secret';
    },
  ];
  for (const fault of faults) {
    try {
      fault();
    } catch (error) {
      report({ kind: 'message', id: 'm1', error });
    }
  }
  expect(lines.map(([, details]) => details)).toEqual([
    { kind: 'message', rowId: 'm1', fault: 'a stored message cannot be read: text (invalid_value)' },
    { kind: 'message', rowId: 'm1', fault: 'SyntaxError' },
    { kind: 'message', rowId: 'm1', fault: 'not an error' },
  ]);
  expect(metrics.recorded).toEqual(faults.map(() => [{ RowsLeftOut: 1 }, { reason: 'message' }]));
});
