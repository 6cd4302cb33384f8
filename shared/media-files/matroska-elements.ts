/** Parses the elements of EBML, the format of WebM and Matroska. */
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';
import { unreadable } from './media-fault.ts';
import type { Work } from './work.ts';

export interface Element {
  readonly id: number;
  readonly content: number;
  /** Undefined if the element has an unknown size and ends after its last child. */
  readonly end: number | undefined;
}

const longestHead = 12;

/** A variable-length number, whose first byte gives its length; undefined for all ones, which means an unknown size. */
export function sizeNumberAt(bytes: Buffer, at: number): { value: number | undefined; length: number } | undefined {
  const first = bytes[at];
  if (first === undefined || first === 0) return undefined;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.length) return undefined;
  let value = first & (0xff >> length);
  let isUnknown = value === 0xff >> length;
  for (let index = 1; index < length; index += 1) {
    const byte = bytes[at + index] ?? 0;
    isUnknown &&= byte === 0xff;
    value = value * 256 + byte;
  }
  return { value: isUnknown ? undefined : value, length };
}

function headIn(bytes: Buffer, at: number) {
  const first = bytes[at] ?? 0;
  const idLength = first === 0 ? 5 : Math.clz32(first) - 23;
  if (idLength > 4 || at + idLength > bytes.length) return undefined;
  const id = bytes.readUIntBE(at, idLength);
  const size = sizeNumberAt(bytes, at + idLength);
  return size && { id, size: size.value, bytes: idLength + size.length };
}

/** The element at a position; undefined at the end of the file. @throws {MediaFault} unreadable */
export function* elementAt(file: FileWindow, at: number): Walk<Element | undefined> {
  if (!file.has(at, longestHead) && !(yield* file.load(at, longestHead)) && file.end <= at) return undefined;
  const head = headIn(file.view(at, longestHead), 0);
  if (!head) throw unreadable();
  const content = at + head.bytes;
  if (head.size !== undefined && !Number.isSafeInteger(content + head.size)) throw unreadable();
  return { id: head.id, content, end: head.size === undefined ? undefined : content + head.size };
}

/** The elements in the content of another element. */
export function* elementsIn(content: Buffer, work: Work): Generator<readonly [id: number, content: Buffer]> {
  for (let at = 0; at < content.length; ) {
    work.visit();
    const head = headIn(content, at);
    if (!head) return;
    const from = at + head.bytes;
    const end = from + (head.size ?? content.length);
    if (end > content.length) throw unreadable();
    yield [head.id, content.subarray(from, end)];
    at = end;
  }
}

const longestNumber = 8;

/** @throws {MediaFault} unreadable */
export function unsignedIn(content: Buffer): number {
  if (content.length > longestNumber) throw unreadable();
  return content.reduce((value, byte) => value * 256 + byte, 0);
}

export function floatIn(content: Buffer): number {
  if (content.length === 4) return content.readFloatBE(0);
  return content.length === 8 ? content.readDoubleBE(0) : 0;
}
