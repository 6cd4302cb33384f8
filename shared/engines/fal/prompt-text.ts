/** Embeds texts of clients in the prompts of models. */

/** Joins lines, so that a text cannot add lines to the prompt. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();

/** Replaces quotation marks in the text by apostrophes, so that it cannot end its own quotation. */
export const quoted = (text: string): string => `"${oneLine(text).replace(/["“”„‟«»〝〞〟＂]/gu, "'")}"`;
