import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWellFormedToken, tokenSecretBytes, tokenText } from '../../../shared/domain/tokens/token.ts';

const hex = fc.stringMatching(new RegExp(`^[0-9a-f]{${tokenSecretBytes * 2}}$`));

test('every token has the specified form and passes validation', () => {
  fc.assert(
    fc.property(hex, (secret) => {
      const token = tokenText(secret);
      expect(token).toMatch(/^av_[0-9a-f]{64}$/);
      expect(isWellFormedToken(token)).toBe(true);
    }),
  );
});

test('one wrong character anywhere makes a token malformed', () => {
  fc.assert(
    fc.property(hex, fc.nat(63), fc.integer({ min: 1, max: 15 }), (secret, position, shift) => {
      const token = tokenText(secret);
      const at = position + 3;
      const other = ((Number.parseInt(token[at] ?? '0', 16) + shift) % 16).toString(16);
      expect(isWellFormedToken(token.slice(0, at) + other + token.slice(at + 1))).toBe(false);
    }),
  );
});

test.for<[string, () => string]>([
  ['is empty', () => ''],
  ['is only the prefix', () => 'av_'],
  ['has its prefix in capitals', () => `AV_${tokenText('0'.repeat(56)).slice(3)}`],
  ['has its hex digits in capitals', () => tokenText('a'.repeat(56)).toUpperCase().replace('AV_', 'av_')],
  ['ends with a space', () => `${tokenText('0'.repeat(56))} `],
  ['has one character too many', () => `${tokenText('0'.repeat(56))}0`],
])('a token is malformed if it %s', ([, text]) => {
  expect(isWellFormedToken(text())).toBe(false);
});
