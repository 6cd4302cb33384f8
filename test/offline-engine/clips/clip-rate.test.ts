/** The frame rate of clips. */
import { expect, it } from 'vitest';
import { clipRate } from '../../../offline-engine/clips/clip-rate.ts';

it.each([
  [24, '24/1', true],
  [24_000 / 1001, '24000/1001', true],
  [25, '25/1', true],
  [30_000 / 1001, '30000/1001', true],
  [30, '30/1', true],
  [50, '50/2', false],
  [60_000 / 1001, '60000/2002', false],
  [120, '120/4', false],
])('the frame rate of clips from a source with %d frames per second is %s', (sourceRate, rate, isOfSource) => {
  expect(clipRate(sourceRate)).toEqual({ rate, isOfSource });
});

it.each([
  ['27.43', 27.43],
  ['0.3', 0.3],
  ['an unknown number of', undefined],
])('the frame rate of clips from a source with %s frames per second is 30/1', (_, sourceRate) => {
  expect(clipRate(sourceRate)).toEqual({ rate: '30', isOfSource: false });
});
