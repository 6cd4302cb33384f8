/**
 * Makes untrusted text safe to store and to show: removes control characters, characters that reverse the direction of
 * other text, and lone surrogates, and limits the length.
 */

/**
 * Embeddings, overrides and isolates, which affect adjacent text; the direction marks that Arabic and Hebrew need are
 * kept.
 */
const reordering = '\\u202a-\\u202e\\u2066-\\u2069';

const unsafe = new RegExp(`(?![\\t\\n\\r])[\\p{Cc}\\ufffe\\uffff${reordering}]`, 'gu');
const unsafeInLine = new RegExp(`[\\s\\p{Cc}\\p{Zl}\\p{Zp}\\ufffe\\uffff${reordering}]+`, 'gu');

/** The maximum length of a text: longer than any that a social network allows. */
const longestText = 10_000;
const longestLine = 200;

/** Truncates a text to the given number of UTF-16 units, without splitting a surrogate pair. */
const cut = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '');

/** How many times as much text is cleaned as is kept: enough for all that people write, and a limit for the rest. */
const cleanedPerKept = 10;

const cleaned = (text: string, max: number, unsafePart: RegExp, replacement: string): string =>
  cut(text, max * cleanedPerKept)
    .toWellFormed()
    .replaceAll(unsafePart, replacement);

/** Sanitizes text of several lines. */
export const outsideText = (text: string, max = longestText): string => cut(cleaned(text, max, unsafe, ''), max);

/** Sanitizes a single line, such as a name: line breaks and other separators become spaces. */
export const outsideLine = (text: string, max = longestLine): string =>
  cut(cleaned(text, max, unsafeInLine, ' ').trim(), max).trimEnd();
