/** Which rows of a matrix the quick tests run. */
import { expect, it } from 'vitest';
import { examplesOf } from '../support/matrix-rows.ts';

const rows = Array.from({ length: 70 }, (_, place) => place);

it('the quick tests run four rows of a long matrix, among them the first and the last', () => {
  expect(examplesOf(rows)).toEqual([0, 23, 46, 69]);
});

it('the quick tests run every row of a short matrix', () => {
  for (const length of [0, 1, 4]) expect(examplesOf(rows.slice(0, length))).toEqual(rows.slice(0, length));
});
