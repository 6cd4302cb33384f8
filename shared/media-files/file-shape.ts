/** What is known about a file before it is read, and how it is to be read. */
export interface FileShape {
  /** The size; present only if parts of the file can be read in any order. */
  readonly size?: number;
  /** The size of a stream as its server announces it. */
  readonly announced?: number;
  /** The longest accepted duration in seconds; an index too large for it is not read. */
  readonly maxSeconds?: number | undefined;
  /** Whether reading a stream may stop once its beginning reveals the duration. */
  readonly isGlance?: boolean;
  /** Whether to examine all parts of a large file, however many reads that takes. */
  readonly isThorough?: boolean;
  /** Whether the content is measured again before it is used, so that audio and pictures need not be examined now. */
  readonly isReadAgain?: boolean;
  /** Whether to trust the declared duration of a video's audio if its codec cannot be measured. */
  readonly takesDeclaredSound?: boolean;
}
