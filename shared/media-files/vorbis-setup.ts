/** Parses the setup header of Vorbis up to its modes, as the specification (Vorbis I, section 4.2.4) orders its parts. */
import { contradictory, unreadable } from './media-fault.ts';
import type { Work } from './work.ts';

/** Reads bits, the lowest of each byte first. @throws {MediaFault} unreadable, at the end */
function bitsOf(bytes: Buffer, work: Work) {
  let at = 0;
  const skip = (count: number) => {
    at += count;
    if (at > bytes.length * 8) throw unreadable();
  };
  const take = (count: number): number => {
    const from = at;
    skip(count);
    work.enter(1);
    let value = 0;
    for (let bit = 0; bit < count; bit += 1) {
      value += (((bytes[(from + bit) >> 3] ?? 0) >> ((from + bit) & 7)) & 1) * 2 ** bit;
    }
    return value;
  };
  /** Whether any of the unread bits is set. */
  const hasMore = () => {
    work.scan(bytes.length - (at >> 3));
    return (bytes[at >> 3] ?? 0) >> (at & 7) > 0 || bytes.subarray((at >> 3) + 1).some((byte) => byte !== 0);
  };
  return { take, skip, hasMore };
}

type Bits = ReturnType<typeof bitsOf>;

/** How many bits a number needs. */
const bitLength = (value: number): number => 32 - Math.clz32(value);

function times(count: number, read: (index: number) => void): void {
  for (let index = 0; index < count; index += 1) read(index);
}

/** The largest integer whose power by the dimensions does not exceed the number of entries. */
function sideOf(entries: number, dimensions: number): number {
  let side = Math.floor(entries ** (1 / dimensions));
  while ((side + 1) ** dimensions <= entries) side += 1;
  while (side ** dimensions > entries) side -= 1;
  return side;
}

function skipLengths({ take, skip }: Bits, entries: number): void {
  const isOrdered = take(1) === 1;
  if (isOrdered) {
    take(5);
    for (let entry = 0; entry < entries; ) entry += take(bitLength(entries - entry));
    return;
  }
  if (take(1) === 0) skip(5 * entries);
  else times(entries, () => take(1) === 1 && skip(5));
}

const codebookMark = 0x56_43_42;

function skipCodebook(bits: Bits): void {
  const { take, skip } = bits;
  if (take(24) !== codebookMark) throw unreadable();
  const [dimensions, entries] = [take(16), take(24)];
  if (dimensions === 0 || entries === 0) throw unreadable();
  skipLengths(bits, entries);
  const lookup = take(4);
  if (lookup === 0) return;
  if (lookup > 2) throw unreadable();
  skip(64);
  const valueBits = take(4) + 1;
  skip(1);
  skip(valueBits * (lookup === 1 ? sideOf(entries, dimensions) : entries * dimensions));
}

function skipFloor({ take, skip }: Bits): void {
  const type = take(16);
  if (type > 1) throw unreadable();
  if (type === 0) {
    skip(54);
    skip(8 * (take(4) + 1));
    return;
  }
  const classes = Array.from({ length: take(5) }, () => take(4));
  const dimensions = Array.from({ length: Math.max(-1, ...classes) + 1 }, () => {
    const size = take(3) + 1;
    const subclasses = take(2);
    skip((subclasses > 0 ? 8 : 0) + 8 * 2 ** subclasses);
    return size;
  });
  skip(2);
  const rangeBits = take(4);
  for (const one of classes) skip(rangeBits * (dimensions[one] ?? 0));
}

function skipResidue({ take, skip }: Bits): void {
  if (take(16) > 2) throw unreadable();
  skip(72);
  const classifications = take(6) + 1;
  skip(8);
  let books = 0;
  times(classifications, () => {
    const low = take(3);
    const cascade = low + (take(1) === 1 ? take(5) * 8 : 0);
    for (let left = cascade; left > 0; left >>= 1) books += left & 1;
  });
  skip(8 * books);
}

function skipMapping({ take, skip }: Bits, channels: number): void {
  if (take(16) !== 0) throw unreadable();
  const submaps = take(1) === 1 ? take(4) + 1 : 1;
  if (take(1) === 1) skip((take(8) + 1) * 2 * bitLength(channels - 1));
  if (take(2) !== 0) throw unreadable();
  if (submaps > 1) skip(4 * channels);
  skip(24 * submaps);
}

/** Whether a mode has long blocks. */
function modeIn({ take, skip }: Bits): boolean {
  const isLong = take(1) === 1;
  if (take(32) !== 0) throw unreadable();
  skip(8);
  return isLong;
}

const headBytes = 7;

/**
 * Whether each mode has long blocks. Some decoders search for the modes from the end, so only zeros may follow.
 * @throws {MediaFault} unreadable, contradictory, excessive
 */
export function vorbisModes(setup: Buffer, channels: number, work: Work): readonly boolean[] {
  const bits = bitsOf(setup.subarray(headBytes), work);
  const { take } = bits;
  times(take(8) + 1, () => skipCodebook(bits));
  times(take(6) + 1, () => {
    if (take(16) !== 0) throw unreadable();
  });
  times(take(6) + 1, () => skipFloor(bits));
  times(take(6) + 1, () => skipResidue(bits));
  times(take(6) + 1, () => skipMapping(bits, channels));
  const modes = Array.from({ length: take(6) + 1 }, () => modeIn(bits));
  if (take(1) !== 1) throw unreadable();
  if (bits.hasMore()) throw contradictory('has a setup of Vorbis that goes on behind its end');
  return modes;
}
