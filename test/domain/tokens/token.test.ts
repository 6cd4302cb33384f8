import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  isWellFormedToken,
  presentToken,
  tokenDigest,
  tokenSecretBytes,
  tokenStatus,
  tokenText,
} from '../../../shared/domain/tokens/token.ts';
import { timestamp } from '../../../shared/platform/clock.ts';
import { timeOfId } from '../../../shared/platform/ids.ts';
import { testIds, testTime } from '../../support/test-table.ts';

/** `python3 -c "import binascii; print('%08x' % binascii.crc32(b'0'*56))"` */
const crcOfZeros = 'cb612bfd';
const zeros = '0'.repeat(56);

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

test('a token consists of its prefix, 28 random bytes in hex and their CRC-32', () => {
  expect(tokenSecretBytes).toBe(28);
  expect(tokenText(zeros)).toBe(`av_${zeros}${crcOfZeros}`);
});

test('a token checksum that begins with zeros keeps its eight digits', () => {
  const small = Array.from({ length: 500 }, (_, index) => index.toString(16).padStart(56, '0')).find(
    (hex) => crc32(hex) < 2 ** 28,
  );
  expect(tokenText(small ?? '')).toMatch(/^av_[0-9a-f]{56}0[0-9a-f]{7}$/);
  expect(isWellFormedToken(tokenText(small ?? ''))).toBe(true);
});

test('a longer text that ends with a valid checksum is not a token', () => {
  expect(isWellFormedToken(`av_${zeros}${checksum(zeros)}`)).toBe(true);
  expect(isWellFormedToken(`xav_${zeros}${checksum(`_${zeros}`)}`)).toBe(false);
  expect(isWellFormedToken(`av_${zeros}00000000${checksum(`${zeros}00000000`)}`)).toBe(false);
  expect(isWellFormedToken(`av_${'g'.repeat(56)}${checksum('g'.repeat(56))}`)).toBe(false);
  expect(isWellFormedToken(`AV_${zeros}${checksum(zeros)}`)).toBe(false);
});

test('a token is stored and found by the SHA-256 of its text', () => {
  const token = tokenText(zeros);
  expect(tokenDigest(token)).toBe(createHash('sha256').update(token).digest('base64url'));
});

test('a token is active until it expires, and stays revoked once it is revoked', () => {
  expect(tokenStatus({}, testTime)).toBe('active');
  expect(tokenStatus({ expiresAt: testTime + 1 }, testTime)).toBe('active');
  expect(tokenStatus({ expiresAt: testTime }, testTime)).toBe('expired');
  expect(tokenStatus({ expiresAt: testTime + 1, revokedAt: testTime + 1 }, testTime)).toBe('revoked');
  expect(tokenStatus({ expiresAt: testTime, revokedAt: testTime }, testTime)).toBe('revoked');
});

test('an owner sees a token’s name, scopes and times, and nothing of its text or account', () => {
  const [tokenId, accountId] = [testIds.next(), testIds.next()];
  const token = { tokenId, accountId, name: 'backend', scopes: ['read:usage', 'read:tasks'] } as const;
  const shown = { tokenId, name: 'backend', mode: 'live', scopes: ['read:usage', 'read:tasks'] };
  const createdAt = timestamp(timeOfId(tokenId));
  expect(presentToken(token)).toStrictEqual({ ...shown, createdAt, expiresAt: null, monthlyCreditCap: null });
  const expiring = { ...token, expiresAt: Date.UTC(2030, 0, 31) };
  expect(presentToken(expiring)).toStrictEqual({
    ...shown,
    createdAt,
    expiresAt: '2030-01-31T00:00:00.000Z',
    monthlyCreditCap: null,
  });
});
