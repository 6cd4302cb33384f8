/** Makes customers' text safe to print on a terminal. */

const hidden = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Replaces control and direction characters, which a terminal would interpret, by JSON escapes. */
export const printable = (text: string): string =>
  text.replace(hidden, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
