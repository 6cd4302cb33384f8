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

test('sequential database trips count as one round each', () => {
  expect(names([trip('A', 0, 10), trip('B', 10, 20), trip('C', 25, 30)])).toEqual(['A', 'B', 'C']);
});

test('overlapping database trips count as one round, in whatever order they were recorded', () => {
  expect(names([trip('B', 1, 30), trip('A', 0, 10)])).toEqual(['A + B']);
});

test('a long database trip parallel to a chain of short ones adds no round', () => {
  expect(names([trip('Long', 0, 100), trip('A', 0, 10), trip('B', 12, 20)])).toEqual(['A + Long', 'B']);
});

test('without database trips there are no rounds', () => {
  expect(roundsOf([])).toEqual([]);
});
