/** Lists of words that are written as one text, such as `'a b'`, with a type that allows just these words. */

/** The words of a text, as a union. */
export type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

export const words = <const Text extends string>(...texts: readonly Text[]): readonly Words<Text>[] =>
  texts.join(' ').split(' ') as Words<Text>[];
