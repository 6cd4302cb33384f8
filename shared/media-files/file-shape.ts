/** What is known of a file before it is read, and how it can be read. */
export interface FileShape {
  /** Only of a file whose parts can be read in any order. */
  readonly size?: number;
  /** Of a stream, by the word of its server. */
  readonly announced?: number;
  /** Whether a stream need not be read to its end where its beginning tells how long it lasts. */
  readonly isGlance?: boolean;
  /** Whether all parts of a large file are looked at, however many reads that takes. */
  readonly isThorough?: boolean;
  /** Whether sound of a video in a codec that cannot be measured lasts as long as its container declares. */
  readonly takesDeclaredSound?: boolean;
}
