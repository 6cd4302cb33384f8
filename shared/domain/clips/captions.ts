/** Captions of a clip: what is said in it as SubRip cues of at most two short lines, in step with the words. */
import type { TimeSpan } from '../../contracts/frame-time.ts';

/** A word that was said, with the punctuation after it. */
interface TimedWord {
  readonly text: string;
  readonly startSec: number;
  readonly endSec: number;
}

/** Seconds in the original video. */
export interface CaptionCue extends TimeSpan {
  readonly lines: readonly string[];
}

/** Fits into the narrowest frame at the size that captions have. */
const lineLetters = 24;
const mostLines = 2;
/** A longer pause, or a longer cue, begins a new one. */
const pauseSec = 0.7;
const mostCueSec = 4;
/** So that the last word can be read. */
const lingerSec = 0.3;

/** Scripts that have no spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u;

/** Without what players would read as markup or as the end of a cue. */
const plainText = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\<>{}]/gu, ' ')
    .replaceAll('-->', ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();

const joined = (line: string, text: string): string =>
  line === '' || (unspaced.test(line.slice(-1)) && unspaced.test(text.slice(0, 1))) ? line + text : `${line} ${text}`;

const lettersOf = (text: string): number => Array.from(text).length;

/** What is longer than a line is broken. */
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

/** The words that are said in a span, in order; one that reaches out of it belongs to where its middle is. */
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
  const isLate = word.startSec - last.endSec > pauseSec || word.endSec - first.startSec > mostCueSec;
  return isLate || linesOf([...group, word]).length > mostLines;
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

/** The cues of a clip, one after the other: none begins before its first word or while another is shown. */
export function captionCues(words: readonly TimedWord[], clip: TimeSpan): readonly CaptionCue[] {
  const groups = groupsOf(wordsIn(words, clip));
  return groups.flatMap((group, index) => {
    const startSec = group[0]?.startSec ?? clip.startSec;
    const lastEnd = Math.max(...group.map(({ endSec }) => endSec));
    const endSec = Math.min(lastEnd + lingerSec, groups[index + 1]?.[0]?.startSec ?? clip.endSec, clip.endSec);
    // Words that are said at the same time as the next ones cannot be shown.
    return endSec - startSec < 0.001 ? [] : [{ startSec, endSec, lines: linesOf(group).slice(0, mostLines) }];
  });
}

/** Nobody speaks faster: what such a transcript says, or when, is wrong. */
const mostWordsPerSecond = 7;
/** Fewer cannot be judged. */
const fewestWords = 3;
/** Words without a duration are guesses; a few of them are usual. */
const mostInstantShare = 0.2;

/** Whether the transcript of a clip is good enough to be shown: its words have times, and follow each other as speech does. */
export function canBeCaptioned(words: readonly TimedWord[], clip: TimeSpan): boolean {
  const said = wordsIn(words, clip);
  if (said.length < fewestWords) return false;
  const spokenSec = said.reduce((sum, { startSec, endSec }) => sum + Math.max(0, endSec - startSec), 0);
  const instant = said.filter(({ startSec, endSec }) => endSec - startSec <= 0).length;
  return said.length <= spokenSec * mostWordsPerSecond && instant <= said.length * mostInstantShare;
}

const timestamp = (seconds: number): string => {
  const ms = Math.round(seconds * 1000);
  const [hours, minutes, rest] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60];
  const clock = [hours, minutes, rest].map((value) => String(value).padStart(2, '0')).join(':');
  return `${clock},${String(ms % 1000).padStart(3, '0')}`;
};

/** SubRip, with the times of the cues. */
export const srtOf = (cues: readonly CaptionCue[]): string =>
  cues
    .map(
      ({ startSec, endSec, lines }, index) =>
        `${index + 1}\n${timestamp(startSec)} --> ${timestamp(endSec)}\n${lines.join('\n')}\n`,
    )
    .join('\n');
