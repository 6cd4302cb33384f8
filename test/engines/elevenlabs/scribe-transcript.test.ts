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
