/** Limits the work of measuring one file, in units that do not depend on the machine. */
import { excessive } from './media-fault.ts';

export const workLimits = {
  /** Boxes, pages, frames, blocks and chunks. */
  elements: 400_000,
  /** Runs and numbers in tables, which take a few nanoseconds each. */
  entries: 6_000_000,
  /** Bytes that are searched one by one. */
  scanned: 64 * 2 ** 20,
} as const;

export class Work {
  elements = 0;
  entries = 0;
  scanned = 0;

  /** Counts elements. @throws {MediaFault} excessive */
  visit(elements = 1): void {
    this.elements += elements;
    if (this.elements > workLimits.elements) throw excessive();
  }

  /** Counts table entries. @throws {MediaFault} excessive */
  enter(entries: number): void {
    this.entries += entries;
    if (this.entries > workLimits.entries) throw excessive();
  }

  /** Counts searched bytes. @throws {MediaFault} excessive */
  scan(bytes: number): void {
    this.scanned += bytes;
    if (this.scanned > workLimits.scanned) throw excessive();
  }
}
