import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  fingerprintOf,
  idempotencyDigest,
  idempotencyHours,
  Replay,
} from '../../../shared/domain/idempotency/idempotency.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

const hmac = (text: string): string => createHmac('sha256', 'key').update(text).digest('base64url');

test('a fingerprint is the HMAC of the body with sorted members, so it stays the same across deployments', () => {
  const ordered = '{"a":true,"b":[{"c":null,"d":1},"x"]}';
  expect(fingerprintOf({ b: [{ d: 1, c: null }, 'x'], a: true }, 'key')).toBe(hmac(ordered));
  expect(fingerprintOf('text', 'key')).toBe(hmac('"text"'));
});

test('without its key, a fingerprint cannot be used to verify a guessed body', () => {
  const body = { payer: { taxId: '52998224725' } };
  expect(fingerprintOf(body, 'key')).not.toBe(fingerprintOf(body, 'other'));
  expect(fingerprintOf(body, 'key')).not.toBe(sha256(JSON.stringify(body)));
});

test('a request without a body has a constant fingerprint', () => {
  expect(fingerprintOf(undefined, 'key')).toBe(hmac(''));
});

test('a list, an object with the list’s indices as keys, and null have different fingerprints', () => {
  expect(fingerprintOf(['a'], 'key')).not.toBe(fingerprintOf({ 0: 'a' }, 'key'));
  expect(fingerprintOf(null, 'key')).toBe(hmac('null'));
  expect(fingerprintOf({ a: null }, 'key')).not.toBe(fingerprintOf({ a: {} }, 'key'));
});

test('an idempotency key is stored as its SHA-256 hash for 24 hours', () => {
  expect(idempotencyDigest('order-1')).toBe(sha256('order-1'));
  expect(idempotencyHours).toBe(24);
});

test('a replay returns the stored response unchanged', () => {
  const response = { fingerprint: sha256('{}'), status: 202, body: '{"success":true}', taskId: 'task' };
  expect(new Replay(response).response).toBe(response);
});
