/** The times in Scribe's transcripts. */
import { expect, test } from 'vitest';
import { scribeTranscript } from '../../../shared/engines/elevenlabs/scribe-transcript.ts';

const transcript = (end: number) => scribeTranscript({ words: [{ text: 'Olá', type: 'word', start: 0, end }] });

test('a Scribe transcript with a word that ends within a day is accepted', () => {
  expect(transcript(86_400)?.words).toEqual([{ text: 'Olá', startSec: 0, endSec: 86_400 }]);
});

test.for([86_401, 9e15, 1e308, -1])('a Scribe transcript with a word that ends after %d seconds is rejected', (end) => {
  expect(transcript(end)).toBeUndefined();
});

test('the entries after one that is not as documented are not read', () => {
  let read = 0;
  const entry = {
    get text() {
      read += 1;
      return 0;
    },
  };
  expect(scribeTranscript({ words: Array.from({ length: 1000 }, () => entry) })).toBeUndefined();
  expect(read).toBe(1);
});

test('a language with 100,000 extensions is left out without being parsed', () => {
  const extensions = Array.from({ length: 100_000 }, (_, index) => index.toString(36).padStart(3, 'a'));
  expect(scribeTranscript({ language_code: ['pt', 'u', ...extensions].join('-'), words: [] })).toEqual({ words: [] });
});
