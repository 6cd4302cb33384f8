/** What makes text from customers safe to show on a terminal. */

const hidden = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Shows control and direction characters as JSON escapes: a terminal would obey them. */
export const printable = (text: string): string =>
  text.replace(hidden, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
