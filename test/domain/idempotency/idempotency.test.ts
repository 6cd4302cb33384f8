import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  fingerprintOf,
  idempotencyDigest,
  idempotencyHours,
  Replay,
} from '../../../shared/domain/idempotency/idempotency.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

test('a fingerprint is the SHA-256 of the body with its members in order, so that it outlives a deploy', () => {
  expect(fingerprintOf({ b: [{ d: 1, c: null }, 'x'], a: true })).toBe(sha256('{"a":true,"b":[{"c":null,"d":1},"x"]}'));
  expect(fingerprintOf('text')).toBe(sha256('"text"'));
});

test('a request without a body has a constant fingerprint', () => {
  expect(fingerprintOf(undefined)).toBe(sha256(''));
});

test('a list, the object with its indices as keys, and null have different fingerprints', () => {
  expect(fingerprintOf(['a'])).not.toBe(fingerprintOf({ 0: 'a' }));
  expect(fingerprintOf(null)).toBe(sha256('null'));
  expect(fingerprintOf({ a: null })).not.toBe(fingerprintOf({ a: {} }));
});

test('a key is stored by its SHA-256 for 24 hours', () => {
  expect(idempotencyDigest('order-1')).toBe(sha256('order-1'));
  expect(idempotencyHours).toBe(24);
});

test('a replay carries the stored response unchanged', () => {
  const response = { fingerprint: sha256('{}'), status: 202, body: '{"success":true}', taskId: 'task' };
  expect(new Replay(response).response).toBe(response);
});
