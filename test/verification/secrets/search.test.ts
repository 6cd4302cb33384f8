/** The search finds a secret in every encoding in which it might leak. */
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Canary, seenIn } from './search.ts';

const secret: Canary = { name: 'secret', text: 'av_3f9c0d17be52aa08c6e1' };
const sentence: Canary = { name: 'sentence', text: '5d02b9e77c1f4a36é"\\ &8b40cc19e6d2f573' };
const other: Canary = { name: 'other', text: 'whk_0011223344556677' };
const all = [secret, sentence, other];

const forms: readonly (readonly [string, (text: string) => string | Buffer])[] = [
  ['as it is', (text) => text],
  ['in capitals', (text) => text.toUpperCase()],
  ['in the middle of a line', (text) => `{"level":"INFO","error":"Bearer ${text}"}`],
  ['quoted in JSON', (text) => JSON.stringify({ text })],
  ['quoted in JSON twice', (text) => JSON.stringify(JSON.stringify({ text }))],
  ['in JSON of ASCII alone', (text) => JSON.stringify(text).replace('é', '\\u00e9')],
  ['in a URL', (text) => `https://example.com/?secret=${encodeURIComponent(text)}`],
  ['in a form', (text) => new URLSearchParams({ text }).toString()],
  ['as hex', (text) => Buffer.from(text).toString('hex')],
  ['as base64url', (text) => Buffer.from(text).toString('base64url')],
  ['as a Buffer in JSON', (text) => JSON.stringify({ packet: Buffer.from(text) })],
  ['as a Buffer on a terminal', (text) => inspect(Buffer.from(text))],
  ['as UTF-16', (text) => Buffer.from(text, 'utf16le')],
  ['among bytes', (text) => Buffer.concat([Buffer.from([0, 255, 200]), Buffer.from(text), Buffer.from([128])])],
  ['cut off at its beginning', (text) => `…${text.slice(-17)}`],
  ['cut off at its end', (text) => `${text.slice(0, 17)}…`],
];

describe.for([['a token', secret] as const, ['a sentence', sentence] as const])(
  'the search for secrets finds %s',
  ([, canary]) => {
    test.for(forms)('%s', ([, written]) => {
      expect(seenIn(written(canary.text), all)).toEqual([canary.name]);
    });

    test('in the base64 of any text that contains it', () => {
      fc.assert(
        fc.property(fc.uint8Array(), fc.uint8Array(), fc.constantFrom('base64', 'base64url'), (before, after, form) => {
          const bytes = Buffer.concat([before, Buffer.from(canary.text), after]);
          expect(seenIn(bytes.toString(form), all)).toEqual([canary.name]);
        }),
        { numRuns: 50 },
      );
    });
  },
);

test('the search for secrets finds nothing in a text without secrets', () => {
  expect(seenIn('{"level":"INFO","message":"request","tokenId":"av_3f9c"} 5d02b9e7', all)).toEqual([]);
});

test('the search for secrets rejects a canary that is too short to be recognized', () => {
  expect(() => seenIn('', [{ name: 'short', text: 'abc def' }])).toThrow(/long enough/);
});
