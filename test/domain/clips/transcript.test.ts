/** The stored form of transcripts. */
import { expect, test } from 'vitest';
import { StoredTranscript, type Transcript } from '../../../shared/domain/clips/transcript.ts';

const word = { text: 'Olá.', startSec: 0.1, endSec: 0.5 };

test('a transcript is read as it was stored, with or without a language', () => {
  const transcripts: Transcript[] = [{ words: [] }, { language: 'pt', words: [word] }];
  for (const transcript of transcripts) {
    expect(StoredTranscript().parse(JSON.parse(JSON.stringify(transcript)))).toEqual(transcript);
  }
});

test.for<[why: string, stored: unknown]>([
  ['without words', { language: 'pt' }],
  ['with a time before the beginning', { words: [{ ...word, startSec: -1 }] }],
  ['with a time that is not a number', { words: [{ ...word, endSec: '1' }] }],
  ['with an unknown language', { language: 'Portuguese', words: [] }],
])('a transcript %s is rejected', ([, stored]) => {
  expect(StoredTranscript().safeParse(stored).success).toBe(false);
});
