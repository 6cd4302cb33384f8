/** Ids are UUIDs of version 7 that sort by their creation. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstIdAt, randomIds, timeOfId } from '../../shared/platform/ids.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('every id is a version 7 UUID that contains the millisecond of its creation', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (now) => {
      const id = randomIds({ now: () => now }).next();
      expect(id).toMatch(uuid);
      expect(timeOfId(id)).toBe(now);
    }),
  );
});

test('ids of one process sort by their creation, even within a millisecond, and are unique', () => {
  let now = Date.UTC(2026, 0, 1);
  const ids = randomIds({ now: () => now });
  const created = Array.from({ length: 5000 }, (_, position) => {
    if (position % 1000 === 999) now += 1;
    return ids.next();
  });
  expect(created).toEqual(created.toSorted());
  expect(new Set(created).size).toBe(created.length);
});

test('ids that two processes create in one millisecond differ', () => {
  const [first, second] = [randomIds({ now: () => 1 }), randomIds({ now: () => 1 })];
  expect(new Set(Array.from({ length: 1000 }, () => [first.next(), second.next()]).flat()).size).toBe(2000);
});

test('the first possible id of a millisecond sorts after all ids of earlier milliseconds and before all others of its own', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 48 - 1 }), (now) => {
      const first = firstIdAt(now);
      expect(first).toMatch(uuid);
      expect(first <= randomIds({ now: () => now }).next()).toBe(true);
      expect(first > randomIds({ now: () => now - 1 }).next()).toBe(true);
    }),
  );
});
