/** How trips are grouped into rounds, on which the figures for sequential trips depend. */
import { expect, test } from 'vitest';
import { roundName, roundsOf, type Trip } from '../../bench/trip.ts';

const trip = (operation: string, startedAt: number, endedAt: number): Trip => ({
  to: 'DynamoDB',
  operation,
  startedAt,
  endedAt,
  capacityUnits: 1,
});

const names = (trips: readonly Trip[]) => roundsOf(trips).map(roundName);

test('database calls made one after another count as one round trip each', () => {
  expect(names([trip('A', 0, 10), trip('B', 10, 20), trip('C', 25, 30)])).toEqual(['A', 'B', 'C']);
});

test('overlapping database calls count as one round trip, in whatever order they were recorded', () => {
  expect(names([trip('B', 1, 30), trip('A', 0, 10)])).toEqual(['A + B']);
});

test('a long database call parallel to a chain of short ones adds no round trip', () => {
  expect(names([trip('Long', 0, 100), trip('A', 0, 10), trip('B', 12, 20)])).toEqual(['A + Long', 'B']);
});

test('the list of round trips is empty if there were no database calls', () => {
  expect(roundsOf([])).toEqual([]);
});
