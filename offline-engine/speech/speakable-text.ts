/** Sanitizes text for the speech program: words and punctuation, never control sequences. */

/** Double square brackets enclose phonemes, and control characters start commands. */
const commands = /[[\]\p{Cc}\p{Co}\p{Cn}]/gu;
const invisible = /\p{Cf}/gu;
const emoji = /[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\p{Variation_Selector}\p{Me}]/gu;
const endlessNumber = /\d{15}(?=\d)/g;
const endlessWord = /\S{60}(?=\S)/gu;
const endOfClause = /[.,;:!?…]$/u;

const longestClause = 600;
/** Digits, symbols and foreign letters, each of which is spoken as one or more words. */
const spelledOut = /[^\p{Script=Latin}\p{M}.,;:!?'"()-]/gu;
const lettersOfSpelledOut = 10;

const lettersOf = (word: string) => word.length + (word.match(spelledOut)?.length ?? 0) * lettersOfSpelledOut;

/** Adds punctuation to a text without any, because the program drops the rest of an overlong clause. */
const withBreaths = (text: string): string => {
  let letters = 0;
  return text
    .split(' ')
    .map((word) => {
      letters += lettersOf(word);
      const ends = endOfClause.test(word);
      const needsBreath = !ends && letters > longestClause;
      if (ends || needsBreath) letters = 0;
      return needsBreath ? `${word},` : word;
    })
    .join(' ');
};

/** A single line of plain, well-formed text; may be empty. */
export const speakableText = (text: string): string => {
  const oneLine = text
    .toWellFormed()
    .normalize('NFC')
    .replace(invisible, '')
    .replace(commands, ' ')
    .replace(emoji, ' ')
    .replace(endlessNumber, '$& ')
    .replace(endlessWord, '$& ')
    .replace(/\s+/gu, ' ')
    .trim();
  return withBreaths(oneLine);
};

/** Whether a text contains anything to pronounce; a text of only punctuation, symbols and spaces results in silence. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
