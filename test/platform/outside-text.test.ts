/** External text is safe to store and to show, whatever it contained. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { outsideLine, outsideText } from '../../shared/platform/outside-text.ts';

const anything = fc.string({ unit: 'binary', maxLength: 400 });
const surrogates = fc.string({
  unit: fc.constantFrom('\ud83d', '\ude00', 'a', '\u202e', '\n', '\u0000'),
  maxLength: 60,
});

/** Embeddings, overrides, isolates, control characters except white space, and code points that are not characters. */
const unsafe = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u;

test('sanitized text from outside the service has no control characters, bidirectional controls or lone surrogates, and is never too long', () => {
  fc.assert(
    fc.property(fc.oneof(anything, surrogates), fc.integer({ min: 1, max: 50 }), (given, max) => {
      const [text, line] = [outsideText(given, max), outsideLine(given, max)];
      for (const one of [text, line]) {
        expect(one.isWellFormed()).toBe(true);
        expect(one).not.toMatch(unsafe);
        expect(one.length).toBeLessThanOrEqual(max);
      }
      expect(line).not.toMatch(/[\n\r\t\u2028\u2029]/);
      expect(line).toBe(line.trim());
      expect([outsideText(text, max), outsideLine(line, max)]).toEqual([text, line]);
    }),
  );
});

test('ordinary text from outside the service is kept unchanged', () => {
  const written = 'Olá,\tJosé!\n👩‍👩‍👧 \u200fשלום\u200f <b>"&\'';
  expect(outsideText(written)).toBe(written);
  expect(outsideLine(' José \n da\u2028Silva ')).toBe('José da Silva');
});

test('text from outside the service loses characters that reverse other text, and is never cut within a character', () => {
  expect(outsideText('a\u202egnp.exe\u2066b\u0000')).toBe('agnp.exeb');
  expect(outsideText('aa😀', 3)).toBe('aa');
  expect(outsideText('\ud83d!')).toBe('\ufffd!');
});

test('of text from outside the service, at most ten times as much is read as is kept', () => {
  for (const sanitize of [outsideText, outsideLine]) {
    expect(sanitize(`${'\u0000'.repeat(49)}a`, 5)).toBe('a');
    expect(sanitize(`${'\u0000'.repeat(50)}a`, 5)).toBe('');
  }
});
