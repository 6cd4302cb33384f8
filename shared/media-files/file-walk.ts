/** Traverses the structure of a file, wherever its bytes come from. */

/** Some bytes of a file, by their positions; unless they are read, only their existence matters. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly isRead: boolean;
  /** As soon as the bytes before this position are there, those behind it need not be waited for. */
  readonly least?: number;
}

/** Demands spans, each behind the last one, and receives as much of each as exists. */
export type Walk<Result> = Generator<Span, Result, Uint8Array>;

/** As many of these bytes as exist. */
export function* bytesAt(start: number, length: number): Walk<Buffer> {
  return Buffer.from(length > 0 ? yield { start, end: start + length, isRead: true } : []);
}

/** Whether the file has at least `end` bytes, asked from a position that it has. */
export function* reaches(end: number, position: number): Walk<boolean> {
  return end <= position || (yield { start: end - 1, end, isRead: false }).length > 0;
}
