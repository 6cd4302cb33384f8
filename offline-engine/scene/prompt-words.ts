/** The words of a prompt in English or Portuguese, in the forms by which they are looked up. */

/**
 * The text in lower case, without accents, with spaces for hyphens and apostrophes; only “avô” and “avó” are kept apart
 * by their accents.
 */
export const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/(?<=\b(?:a|vo)v)ô/giu, 'oh')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[-’'_]/g, ' ')
    .toLowerCase()
    .trim();

export interface Word {
  /** The word as it is written in the prompt. */
  readonly text: string;
  readonly plain: string;
  /** Whether punctuation follows, which no phrase crosses. */
  readonly endsPhrase: boolean;
}

export const wordsOf = (prompt: string): Word[] =>
  [...prompt.normalize('NFC').matchAll(/([\p{L}\p{N}]+)([^\p{L}\p{N}]*)/gu)].map(([, text = '', after = '']) => ({
    text,
    plain: plain(text),
    endsPhrase: /[.,;:!?()\n]/.test(after),
  }));

const irregular: Readonly<Record<string, string>> = {
  children: 'child',
  feet: 'foot',
  geese: 'goose',
  knives: 'knife',
  leaves: 'leaf',
  men: 'man',
  mice: 'mouse',
  people: 'person',
  teeth: 'tooth',
  wolves: 'wolf',
  women: 'woman',
};

/** Endings of plurals, feminines and diminutives, with the endings of the words that dictionaries list. */
const endings: readonly (readonly [RegExp, string])[] = [
  [/ies$/, 'y'],
  [/(ch|sh|s|x|z)es$/, '$1'],
  [/(o|a)es$/, 'ao'],
  [/aos$/, 'ao'],
  [/([aeou])is$/, '$1l'],
  [/ns$/, 'm'],
  [/([rz])es$/, '$1'],
  [/s$/, ''],
  [/quinh([oa])s?$/, 'c$1'],
  [/z?inh[oa]s?$/, 'o'],
  [/z?inh[oa]s?$/, 'a'],
  [/z?inh[oa]s?$/, ''],
  [/oas?$/, 'ao'],
  [/as?$/, 'o'],
];

/** A word and the forms that it may be an inflection of, the likeliest first. */
export const formsOf = (word: string): string[] => [
  word,
  ...(irregular[word] === undefined ? [] : [irregular[word]]),
  ...endings.flatMap(([ending, base]) =>
    word.length > 3 && ending.test(word) && word.replace(ending, base).length > 2 ? [word.replace(ending, base)] : [],
  ),
];
