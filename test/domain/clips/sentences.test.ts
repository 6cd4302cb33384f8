/** How a transcript is split into sentences. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sentencesOf } from '../../../shared/domain/clips/sentences.ts';
import type { SpokenWord } from '../../../shared/domain/clips/transcript.ts';
import { nonsenseTranscript, spokenVideo } from './spoken-video.ts';

/** Words of 0.4 s; a number is the silence before the next word, in seconds. */
const spoken = (...parts: readonly (string | number)[]): SpokenWord[] => {
  const words: SpokenWord[] = [];
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'string') words.push({ text: part, startSec: at, endSec: at + 0.4 });
    at += typeof part === 'number' ? part : 0.4;
  }
  return words;
};

const textsOf = (words: readonly SpokenWord[], durationSec = 600) =>
  sentencesOf({ words }, durationSec).map(({ text }) => text);

describe('a sentence', () => {
  test.for<[why: string, words: (string | number)[], expected: string[]]>([
    [
      'ends at its punctuation',
      ['Bom', 'dia.', 0.2, 'Tudo', 'certo?', 0.2, 'Sim!'],
      ['Bom dia.', 'Tudo certo?', 'Sim!'],
    ],
    [
      'ends without a pause if the next word is capitalized',
      ['Vamos', 'começar.', 'Agora'],
      ['Vamos começar.', 'Agora'],
    ],
    ['does not end at an abbreviation', ['O', 'Sr.', 'Silva', 'falou'], ['O Sr. Silva falou']],
    ['does not end inside a number', ['são', '3.5', 'metros'], ['são 3.5 metros']],
    ['ends at a long silence', ['primeiro', 1.5, 'segundo'], ['primeiro', 'segundo']],
    ['may end with a quotation mark', ['Disse:', '“Pronto.”', 0.2, 'Saiu.'], ['Disse: “Pronto.”', 'Saiu.']],
    ['ends in languages without capital letters', ['你好。', 0.2, '再见。'], ['你好。', '再见。']],
  ])('%s', ([, words, expected]) => {
    expect(textsOf(spoken(...words))).toEqual(expected);
  });

  test('longer than half a minute is split at its longest pause', () => {
    const long = Array.from({ length: 100 }, (_, at) => (at === 60 ? 0.3 : 'e'));
    expect(sentencesOf({ words: spoken(...long) }, 600).map(({ endSec, startSec }) => endSec - startSec)).toEqual([
      expect.closeTo(24, 5),
      expect.closeTo(15.6, 5),
    ]);
  });

  test.for<[what: string, pauseSec: (share: number) => number]>([
    ['without pauses', () => 0],
    ['with inaudible pauses, each shorter than the one before,', (share) => 0.02 * (1 - share)],
    ['with pauses each shorter than the one before', (share) => 1.4 * (1 - share)],
  ])('of an hour %s is split into sentences of more than seven seconds', ([, pauseSec]) => {
    const parts = Array.from({ length: 10_000 }, (_, word) => ['e', pauseSec(word / 10_000)]);
    const lengths = sentencesOf({ words: spoken(...parts.flat()) }, 20_000).map(
      ({ startSec, endSec }) => endSec - startSec,
    );
    expect(Math.min(...lengths)).toBeGreaterThan(7);
  });
});

test('the end of a sentence is found however many letters its words have', () => {
  const text = 'a'.repeat(1_000_000);
  expect(textsOf(spoken(text, `${text}.`, 'B')).map(({ length }) => length)).toEqual([2_000_002, 1]);
});

test('sentences do not overlap and contain every word of the video, whatever the transcript says', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        nonsenseTranscript,
        spokenVideo(0, 30).map(({ transcript }) => transcript),
      ),
      (transcript) => {
        const sentences = sentencesOf(transcript, 300);
        let previousEnd = 0;
        for (const { startSec, endSec, text } of sentences) {
          expect(startSec).toBeGreaterThanOrEqual(previousEnd);
          expect(endSec).toBeGreaterThanOrEqual(startSec);
          expect(endSec - startSec).toBeLessThanOrEqual(30);
          expect(text).not.toBe('');
          previousEnd = endSec;
        }
        expect(previousEnd).toBeLessThanOrEqual(300);
        const within = transcript.words.filter(
          ({ text, startSec, endSec }) => text.trim() && startSec >= 0 && startSec < 300 && endSec >= startSec,
        );
        expect(
          sentences
            .map(({ text }) => text)
            .join(' ')
            .split(' ').length,
        ).toBe(Math.max(1, within.length));
      },
    ),
    { numRuns: 200 },
  );
});
