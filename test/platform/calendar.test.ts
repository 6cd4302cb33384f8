/** Months of the calendar, whatever their lengths. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMonths } from '../../shared/platform/calendar.ts';

const after = (from: string, months: number) => new Date(addMonths(Date.parse(from), months)).toISOString();

test.for([
  ['2026-01-15T10:20:30.456Z', 1, '2026-02-15T10:20:30.456Z'],
  ['2026-01-31T23:59:59.999Z', 1, '2026-02-28T23:59:59.999Z'],
  ['2028-01-31T00:00:00.000Z', 1, '2028-02-29T00:00:00.000Z'],
  ['2026-01-31T00:00:00.000Z', 2, '2026-03-31T00:00:00.000Z'],
  ['2026-03-31T00:00:00.000Z', 1, '2026-04-30T00:00:00.000Z'],
  ['2026-11-30T12:00:00.000Z', 3, '2027-02-28T12:00:00.000Z'],
  ['2028-02-29T12:00:00.000Z', 12, '2029-02-28T12:00:00.000Z'],
  ['2026-12-31T12:00:00.000Z', 1, '2027-01-31T12:00:00.000Z'],
  ['2026-07-04T12:00:00.000Z', 0, '2026-07-04T12:00:00.000Z'],
] as const)('the date %s plus %i months is %s', ([from, months, then]) => {
  expect(after(from, months)).toBe(then);
});

test('adding one more month to a date always yields a date in the following month', () => {
  const from = fc.date({ min: new Date('2020-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(from, fc.nat(24), (date, months) => {
      const [one, next] = [months, months + 1].map((count) => new Date(addMonths(date.getTime(), count)));
      const monthOf = (given: Date | undefined) => (given?.getUTCFullYear() ?? 0) * 12 + (given?.getUTCMonth() ?? 0);
      expect(monthOf(next)).toBe(monthOf(one) + 1);
      expect(monthOf(one)).toBe(monthOf(date) + months);
    }),
  );
});
