/** Made-up transcripts of videos, with known pauses. */
import * as fc from 'fast-check';
import type { SpokenWord, Transcript } from '../../../shared/domain/clips/transcript.ts';

export interface SpokenVideo {
  readonly transcript: Transcript;
  readonly durationSec: number;
}

interface MadeSentence {
  readonly words: number;
  readonly wordSec: number;
  readonly pauseSec: number;
}

const madeSentence: fc.Arbitrary<MadeSentence> = fc.record({
  words: fc.integer({ min: 1, max: 24 }),
  wordSec: fc.double({ min: 0.1, max: 0.5, noNaN: true }),
  pauseSec: fc.oneof(
    { weight: 8, arbitrary: fc.double({ min: 0.3, max: 2, noNaN: true }) },
    { weight: 1, arbitrary: fc.double({ min: 2, max: 200, noNaN: true }) },
  ),
});

/** Sentences that are each preceded by a pause of a given length. */
export const spokenBy = (sentences: readonly MadeSentence[], trailSec = 0): SpokenVideo => {
  const words: SpokenWord[] = [];
  let at = 0;
  for (const { words: count, wordSec, pauseSec } of sentences) {
    at += pauseSec;
    for (let word = 1; word <= count; word += 1) {
      const text = word === count ? `Frase${words.length}.` : `Palavra${words.length}`;
      words.push({ text, startSec: at, endSec: at + wordSec });
      at += wordSec;
    }
  }
  return { transcript: { language: 'pt', words }, durationSec: at + trailSec };
};

export const spokenVideo = (min: number, max: number): fc.Arbitrary<SpokenVideo> =>
  fc
    .tuple(fc.array(madeSentence, { minLength: min, maxLength: max }), fc.double({ min: 0, max: 30, noNaN: true }))
    .map(([sentences, trailSec]) => spokenBy(sentences, trailSec));

const anyNumber = fc.oneof(
  fc.double({ min: -10, max: 400 }),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0),
);

/** Words in any order, with times of any kind. */
export const nonsenseTranscript: fc.Arbitrary<Transcript> = fc.record({
  words: fc.array(
    fc.record({
      text: fc.constantFrom('sim', 'não.', '', ' ', 'E?', '\u0000'),
      startSec: anyNumber,
      endSec: anyNumber,
    }),
    { maxLength: 60 },
  ),
});
