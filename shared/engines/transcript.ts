/** What was said in a recording and when; every engine's format of it is converted to this one where it is read. */

/** Punctuation belongs to the word before it. */
export interface SpokenWord {
  readonly text: string;
  readonly startSec: number;
  readonly endSec: number;
}

export interface Transcript {
  /** ISO 639-1 in lower case, if known. */
  readonly language?: string;
  /** Empty if nothing was said. */
  readonly words: readonly SpokenWord[];
}
