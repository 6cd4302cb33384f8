/** What is known about a file before it is read, and how it may be read. */
export interface FileShape {
  /** The size; present only if parts of the file can be read in any order. */
  readonly size?: number;
  /** The size of a stream according to its server. */
  readonly announced?: number;
  /** The longest duration in seconds that is accepted: a longer index is not read. */
  readonly maxSeconds?: number | undefined;
  /** Whether a stream may be left unread once its beginning reveals the duration. */
  readonly isGlance?: boolean;
  /** Whether to examine all parts of a large file, however many reads that takes. */
  readonly isThorough?: boolean;
  /** Whether the content is measured again before it is used, so that no sound has to be examined now. */
  readonly isReadAgain?: boolean;
  /** Whether to trust the declared duration of a video's audio if its codec cannot be measured. */
  readonly takesDeclaredSound?: boolean;
}
