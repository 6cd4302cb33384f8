import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fingerprintOf } from '../../../shared/domain/idempotency/idempotency.ts';

const reordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reordered(member)]),
  );
};

test('a body’s fingerprint is the same if its members are in another order', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(fingerprintOf(reordered(value), 'key')).toBe(fingerprintOf(value, 'key'));
    }),
  );
});

test('a body’s fingerprint differs if its content differs', () => {
  const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
  fc.assert(
    fc.property(json, json, (one, other) => {
      fc.pre(!isDeepStrictEqual(one, other));
      expect(fingerprintOf(one, 'key')).not.toBe(fingerprintOf(other, 'key'));
    }),
  );
});
