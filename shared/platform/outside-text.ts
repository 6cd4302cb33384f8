/**
 * Text that people and systems outside have chosen, made safe to store and to show: without control characters, without
 * what reverses the direction of other text, without halves of characters, and of bounded length.
 */

/** Embeddings, overrides and isolates reach into what stands beside them; marks, which Arabic and Hebrew need, do not. */
const reordering = '\\u202a-\\u202e\\u2066-\\u2069';

const unsafe = new RegExp(`(?![\\t\\n\\r])[\\p{Cc}\\ufffe\\uffff${reordering}]`, 'gu');
const unsafeInLine = new RegExp(`[\\s\\p{Cc}\\p{Zl}\\p{Zp}\\ufffe\\uffff${reordering}]+`, 'gu');

/** Longer than any network lets people write. */
const longestText = 10_000;
const longestLine = 200;

/** In UTF-16 units, without a half of a character at the end. */
const cut = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '');

/** Text of several lines. */
export const outsideText = (text: string, most = longestText): string =>
  cut(text.toWellFormed().replaceAll(unsafe, ''), most);

/** Text of one line, such as a name: what separates lines or words becomes a space. */
export const outsideLine = (text: string, most = longestLine): string =>
  cut(text.toWellFormed().replaceAll(unsafeInLine, ' ').trim(), most).trimEnd();
