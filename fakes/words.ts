/** Lists of words in one text, with the words as their type. */

/** The words of a text, as a union. */
export type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

export const words = <const Text extends string>(...texts: readonly Text[]): readonly Words<Text>[] =>
  texts.join(' ').split(' ') as Words<Text>[];
