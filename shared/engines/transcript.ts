/**
 * A transcript: the words of a recording and their times. Each engine's format is converted to this one when it is
 * read.
 */

/** A word, including the punctuation after it. */
export interface SpokenWord {
  readonly text: string;
  readonly startSec: number;
  readonly endSec: number;
}

export interface Transcript {
  /** The language as an ISO 639-1 code in lower case, if known. */
  readonly language?: string;
  /** The spoken words; empty if there is no speech. */
  readonly words: readonly SpokenWord[];
}
