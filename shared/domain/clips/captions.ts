/** Captions of a clip: its words as SubRip cues of at most two short lines, in time with the speech. */
import type { TimeSpan } from '../../contracts/frame-time.ts';

/** A spoken word with the punctuation after it. */
interface TimedWord {
  readonly text: string;
  readonly startSec: number;
  readonly endSec: number;
}

/** A cue, with times in seconds of the original video. */
export interface CaptionCue extends TimeSpan {
  readonly lines: readonly string[];
}

/** The longest line that fits into the narrowest frame at the captions' font size. */
const lineLetters = 24;
const maxLines = 2;
/** A new cue begins after a pause of this length, or when a cue gets this long. */
const pauseSec = 0.7;
const maxCueSec = 4;
/** How long a cue stays after its last word, so that the word can be read. */
const lingerSec = 0.3;

/** Scripts without spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u;

/** Removes what players would read as markup or as the end of a cue. */
const plainText = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\<>{}]/gu, ' ')
    .replaceAll('-->', ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();

const joined = (line: string, text: string): string =>
  line === '' || (unspaced.test(line.slice(-1)) && unspaced.test(text.slice(0, 1))) ? line + text : `${line} ${text}`;

const lettersOf = (text: string): number => Array.from(text).length;

/** Splits a word that is longer than a line. */
const piecesOf = (text: string): readonly string[] => {
  const letters = Array.from(text);
  return Array.from({ length: Math.ceil(letters.length / lineLetters) }, (_, index) =>
    letters.slice(index * lineLetters, (index + 1) * lineLetters).join(''),
  );
};

const linesOf = (words: readonly TimedWord[]): readonly string[] => {
  const lines: string[] = [];
  for (const piece of words.flatMap(({ text }) => text.split(' ')).flatMap(piecesOf)) {
    const longer = joined(lines.at(-1) ?? '', piece);
    if (lines.length > 0 && lettersOf(longer) <= lineLetters) lines[lines.length - 1] = longer;
    else lines.push(piece);
  }
  return lines;
};

/** The words within a span, in order; a word that crosses an edge of the span is included if its middle is inside. */
const wordsIn = (words: readonly TimedWord[], { startSec, endSec }: TimeSpan): readonly TimedWord[] =>
  words
    .filter((word) => {
      const middle = (word.startSec + word.endSec) / 2;
      return middle >= startSec && middle < endSec;
    })
    .map((word) => ({
      text: plainText(word.text),
      startSec: Math.max(startSec, word.startSec),
      endSec: Math.min(endSec, word.endSec),
    }))
    .filter(({ text }) => text !== '')
    .toSorted((one, other) => one.startSec - other.startSec);

const endsSentence = (text: string): boolean => /[.!?…。！？]["'”’»)]*$/u.test(text);

const isFull = (group: readonly TimedWord[], word: TimedWord): boolean => {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last || endsSentence(last.text)) return true;
  const isLate = word.startSec - last.endSec > pauseSec || word.endSec - first.startSec > maxCueSec;
  return isLate || linesOf([...group, word]).length > maxLines;
};

const groupsOf = (words: readonly TimedWord[]): readonly (readonly TimedWord[])[] => {
  const groups: TimedWord[][] = [];
  for (const word of words) {
    const group = groups.at(-1);
    if (!group || isFull(group, word)) groups.push([word]);
    else group.push(word);
  }
  return groups;
};

/** The cues of a clip, in order: none begins before its first word or overlaps another. */
export function captionCues(words: readonly TimedWord[], clip: TimeSpan): readonly CaptionCue[] {
  const groups = groupsOf(wordsIn(words, clip));
  return groups.flatMap((group, index) => {
    const startSec = group[0]?.startSec ?? clip.startSec;
    const lastEnd = Math.max(...group.map(({ endSec }) => endSec));
    const endSec = Math.min(lastEnd + lingerSec, groups[index + 1]?.[0]?.startSec ?? clip.endSec, clip.endSec);
    // A cue without a duration cannot be shown: its words have the same time as the next ones.
    return endSec - startSec < 0.001 ? [] : [{ startSec, endSec, lines: linesOf(group).slice(0, maxLines) }];
  });
}

/** Faster speech than this means that the transcript's words or times are wrong. */
const maxWordsPerSecond = 7;
/** A transcript with fewer words cannot be judged. */
const fewestWords = 3;
/** Words without a duration are guesses of the transcriber; a few of them are normal. */
const maxInstantShare = 0.2;

/**
 * Whether a clip's transcript is good enough for captions: its words have times and follow each other at the pace of
 * speech.
 */
export function canBeCaptioned(words: readonly TimedWord[], clip: TimeSpan): boolean {
  const said = wordsIn(words, clip);
  if (said.length < fewestWords) return false;
  const spokenSec = said.reduce((sum, { startSec, endSec }) => sum + Math.max(0, endSec - startSec), 0);
  const instant = said.filter(({ startSec, endSec }) => endSec - startSec <= 0).length;
  return said.length <= spokenSec * maxWordsPerSecond && instant <= said.length * maxInstantShare;
}

const timestamp = (seconds: number): string => {
  const ms = Math.round(seconds * 1000);
  const [hours, minutes, rest] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60];
  const clock = [hours, minutes, rest].map((value) => String(value).padStart(2, '0')).join(':');
  return `${clock},${String(ms % 1000).padStart(3, '0')}`;
};

/** The cues in SubRip format. */
export const srtOf = (cues: readonly CaptionCue[]): string =>
  cues
    .map(
      ({ startSec, endSec, lines }, index) =>
        `${index + 1}\n${timestamp(startSec)} --> ${timestamp(endSec)}\n${lines.join('\n')}\n`,
    )
    .join('\n');
