/** Splits a transcript into sentences, from which passages are ranked and cut. */
import type { SpokenWord, Transcript } from './transcript.ts';

/** A sentence; its id is its position in time order. */
export interface Sentence {
  readonly text: string;
  readonly startSec: number;
  readonly endSec: number;
}

/** A silence of this length ends a sentence, even without punctuation. */
const silenceSec = 1.5;
/**
 * A period after a short word ends a sentence only if a pause of this length follows; otherwise it may mark an
 * abbreviation.
 */
const audiblePauseSec = 0.15;
const longestSentenceSec = 30;
/**
 * Pauses that differ by less are equally long. This bounds the work: a sentence has pauses of few different lengths, and
 * is split near its middle at those of equal length.
 */
const pauseStepSec = 0.05;
/** Some engines miss the end of a word and extend it to the next word, so words are truncated to this length. */
const longestWordSec = 5;

/** The words in order and within the video, without overlaps. */
function spokenWords({ words }: Transcript, durationSec: number): readonly SpokenWord[] {
  const usable = words.filter(
    ({ text, startSec, endSec }) => text.trim() !== '' && startSec >= 0 && startSec < durationSec && endSec >= startSec,
  );
  const inOrder = usable.toSorted((one, other) => one.startSec - other.startSec);
  return inOrder.map(({ text, startSec, endSec }, index) => {
    const latest = Math.min(inOrder[index + 1]?.startSec ?? durationSec, startSec + longestWordSec);
    return { text: text.trim(), startSec, endSec: Math.min(endSec, latest) };
  });
}

const gapSec = (word: SpokenWord, next: SpokenWord): number => next.startSec - word.endSec;

const endsSentence = (word: SpokenWord, next: SpokenWord): boolean => {
  const gap = gapSec(word, next);
  if (gap >= silenceSec) return true;
  // Only four letters are matched, so that words without punctuation take linear time.
  const [, letters] = /(\p{L}{0,4})[.?!…。？！]["'”’»)\]]*$/u.exec(word.text) ?? [];
  if (letters === undefined) return false;
  const isCapital = next.text.charAt(0) === next.text.charAt(0).toUpperCase();
  return gap >= audiblePauseSec || (letters.length > 3 && isCapital);
};

const lengthSec = (words: readonly SpokenWord[]): number => (words.at(-1)?.endSec ?? 0) - (words[0]?.startSec ?? 0);

/** The pause before a word, in whole steps. */
const pauseBefore = (words: readonly SpokenWord[], at: number): number =>
  Math.round(((words[at]?.startSec ?? 0) - (words[at - 1]?.endSec ?? 0)) / pauseStepSec);

/** The word before which a sentence has its longest pause; of equally long ones, the one nearest to its middle. */
function splitOf(words: readonly SpokenWord[]): number {
  const middleSec = (words[0]?.startSec ?? 0) + lengthSec(words) / 2;
  const fromMiddle = (at: number): number => Math.abs((words[at]?.startSec ?? 0) - middleSec);
  let split = 1;
  for (let at = 2; at < words.length; at += 1) {
    const longer = pauseBefore(words, at) - pauseBefore(words, split);
    if (longer > 0 || (longer === 0 && fromMiddle(at) < fromMiddle(split))) split = at;
  }
  return split;
}

/** Splits a sentence that is too long at its longest pauses. */
function bounded(words: readonly SpokenWord[]): readonly (readonly SpokenWord[])[] {
  const parts: (readonly SpokenWord[])[] = [];
  const left = [words];
  for (let part = left.pop(); part; part = left.pop()) {
    if (lengthSec(part) <= longestSentenceSec || part.length < 2) {
      parts.push(part);
      continue;
    }
    const split = splitOf(part);
    left.push(part.slice(split), part.slice(0, split));
  }
  return parts;
}

/** The sentences in time order. Together they contain all words of the transcript. */
export function sentencesOf(transcript: Transcript, durationSec: number): readonly Sentence[] {
  const sentences: SpokenWord[][] = [];
  let previous: SpokenWord | undefined;
  for (const word of spokenWords(transcript, durationSec)) {
    if (!previous || endsSentence(previous, word)) sentences.push([word]);
    else sentences.at(-1)?.push(word);
    previous = word;
  }
  return sentences.flatMap(bounded).map((words) => ({
    text: words.map(({ text }) => text).join(' '),
    startSec: words[0]?.startSec ?? 0,
    endSec: words.at(-1)?.endSec ?? 0,
  }));
}
