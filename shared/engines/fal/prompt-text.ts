/** Client texts inside the prompts of models. */

/** One line, so that a text cannot add lines to the prompt. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();

/** Quotation marks inside the text become apostrophes, so that it cannot end its own quotation. */
export const quoted = (text: string): string => `"${oneLine(text).replace(/["“”„‟«»〝〞〟＂]/gu, "'")}"`;
