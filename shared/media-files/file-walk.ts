/**
 * A walk traverses the structure of a file. It requests ranges of bytes, and does not depend on where they come from.
 */

/** A range of bytes that a walk requests. It need not be read if only its existence matters. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly isRead: boolean;
  /** The walk can continue as soon as all bytes before this position have arrived. */
  readonly min?: number;
  /**
   * The parts of the range that are needed, in ascending order. They may be read concurrently, but the walk receives
   * them one after the other. Used only for a file that can be read in any order.
   */
  readonly parts?: readonly { readonly start: number; readonly end: number }[];
}

/** Requests ranges in ascending order, and receives as much of each as exists. */
export type Walk<Result> = Generator<Span, Result, Uint8Array>;

/** The existing bytes of a range. */
export function* bytesAt(start: number, length: number): Walk<Buffer> {
  return Buffer.from(length > 0 ? yield { start, end: start + length, isRead: true } : []);
}

/** Whether the file has at least `end` bytes; `position` is known to exist. */
export function* reaches(end: number, position: number): Walk<boolean> {
  return end <= position || (yield { start: end - 1, end, isRead: false }).length > 0;
}
