/** What of a text reaches the speech program: words and marks, never anything that commands it. */

/** The program puts sounds between double square brackets, and commands behind control characters. */
const commands = /[[\]\p{Cc}\p{Co}\p{Cn}]/gu;
const invisible = /\p{Cf}/gu;
const pictures = /[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\p{Variation_Selector}\p{Me}]/gu;
const endlessNumber = /\d{15}(?=\d)/g;
const endlessWord = /\S{60}(?=\S)/gu;
const endOfClause = /[.,;:!?…]$/u;

const longestClause = 600;
/** Digits, symbols and foreign letters are spoken as a word each, or several. */
const spelledOut = /[^\p{Script=Latin}\p{M}.,;:!?'"()-]/gu;
const lettersOfSpelledOut = 10;

const lettersOf = (word: string) => word.length + (word.match(spelledOut)?.length ?? 0) * lettersOfSpelledOut;

/** The program leaves out what is too long for one clause, so a text without punctuation is given some. */
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

/** Plain, well-formed text of one line; may be empty. */
export const speakableText = (text: string): string => {
  const oneLine = text
    .toWellFormed()
    .normalize('NFC')
    .replace(invisible, '')
    .replace(commands, ' ')
    .replace(pictures, ' ')
    .replace(endlessNumber, '$& ')
    .replace(endlessWord, '$& ')
    .replace(/\s+/gu, ' ')
    .trim();
  return withBreaths(oneLine);
};

/** False for a text of punctuation, symbols and spaces alone, which is answered with silence. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
