/** Parses the elements of EBML, the format of WebM and Matroska. */
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';
import { contradictory, unreadable } from './media-fault.ts';
import type { Work } from './work.ts';

export interface Element {
  readonly id: number;
  readonly content: number;
  /** The position after the element; undefined if it has an unknown size and ends after its last child. */
  readonly end: number | undefined;
}

const longestHead = 12;

export const undecodable = () => contradictory('has elements that decoders cannot read: export it again');

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

/** The elements in the content of another element. @throws {MediaFault} unreadable, contradictory */
export function* elementsIn(content: Buffer, work: Work): Generator<readonly [id: number, content: Buffer]> {
  for (let at = 0; at < content.length; ) {
    work.visit();
    const head = headIn(content, at);
    if (!head) throw undecodable();
    const from = at + head.bytes;
    const end = from + (head.size ?? content.length);
    if (end > content.length) throw unreadable();
    yield [head.id, content.subarray(from, end)];
    at = end;
  }
}

export const idsOf = (ids: string): ReadonlySet<number> =>
  new Set(
    ids
      .trim()
      .split(/\s+/)
      .map((id) => Number(`0x${id}`)),
  );

/**
 * Elements in which decoders look for child elements: those of the index, the description, tracks, cues, tags and
 * chapters.
 */
const masters = idsOf(`
  4dbb 6924 ae 6624 41e4 e0 55b0 55d0 7670 e1 e2 e3 e4 e9 6d80 6240 5034 5035 47e7
  bb b7 db 7373 63c0 67c8 45b9 b6 8f 80 6944 6911 4520`);
/** Elements with texts or bytes, which may be longer than a number. */
const longElements = idsOf(`
  ec bf 73a4 7384 3cb923 3c83ab 3eb923 3e83bb 4444 7ba9 4d80 5741 69a5 69bf
  536e 22b59c 22b59d 86 63a2 258688 3a9697 3b4040 26b240 41a4 41ed 2eb524 7672 7d7b 66a5 c1 c4
  4255 47e2 47e3 47e4 45a3 447a 447b 4487 4485 63ca 5654 85 437c 437d 437e 6933 450d 6e67 4521 45e4`);
/** Elements with floating-point numbers. */
const floats = idsOf(`
  4489 23314f 2383e3 2fb523 b5 78b5 55d1 55d2 55d3 55d4 55d5 55d6 55d7 55d8 55d9 55da 7673 7674 7675`);
const deepest = 8;
export const longestNumber = 8;

/**
 * Rejects elements that decoders cannot parse, because they would look for the next cluster inside what follows.
 * @throws {MediaFault} unreadable, contradictory
 */
export function requireElements(content: Buffer, work: Work, depth = 0): void {
  if (depth > deepest) throw undecodable();
  for (const [id, child] of elementsIn(content, work)) {
    if (masters.has(id)) requireElements(child, work, depth + 1);
    else if (child.length > longestNumber && !longElements.has(id)) throw undecodable();
    else if (floats.has(id) && child.length % 4 > 0) throw undecodable();
  }
}

/** Parses an unsigned integer. @throws {MediaFault} unreadable */
export function unsignedIn(content: Buffer): number {
  if (content.length > longestNumber) throw unreadable();
  return content.reduce((value, byte) => value * 256 + byte, 0);
}

export function floatIn(content: Buffer): number {
  if (content.length === 4) return content.readFloatBE(0);
  return content.length === 8 ? content.readDoubleBE(0) : 0;
}
