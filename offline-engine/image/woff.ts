/** Converts WOFF 1.0 fonts to TrueType, the only format that text rendering reads. */
import { inflateSync } from 'node:zlib';

const woffHeadBytes = 44;
const woffEntryBytes = 20;
const headBytes = 12;
const entryBytes = 16;

/** The header of a TrueType file; the three numbers after the count support a binary search of the tables. */
const headOf = (woff: Buffer, tables: number): Buffer => {
  const head = Buffer.alloc(headBytes + entryBytes * tables);
  const steps = Math.floor(Math.log2(tables));
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(tables, 4);
  head.writeUInt16BE(entryBytes * 2 ** steps, 6);
  head.writeUInt16BE(steps, 8);
  head.writeUInt16BE(entryBytes * (tables - 2 ** steps), 10);
  return head;
};

/** Converts a font. @throws {Error} if it is not a WOFF 1.0 file */
export const unwrapWoff = (woff: Buffer): Buffer => {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('The file is not a WOFF 1.0 font.');
  const tables = woff.readUInt16BE(12);
  const head = headOf(woff, tables);
  const parts = [head];
  let offset = head.length;
  for (let table = 0; table < tables; table += 1) {
    const from = woffHeadBytes + woffEntryBytes * table;
    const to = headBytes + entryBytes * table;
    const [start, packedBytes, bytes] = [4, 8, 12].map((place) => woff.readUInt32BE(from + place)) as [
      number,
      number,
      number,
    ];
    const packed = woff.subarray(start, start + packedBytes);
    woff.copy(head, to, from, from + 4);
    woff.copy(head, to + 4, from + 16, from + 20);
    head.writeUInt32BE(offset, to + 8);
    head.writeUInt32BE(bytes, to + 12);
    const padding = Buffer.alloc((4 - (bytes % 4)) % 4);
    parts.push(packedBytes < bytes ? inflateSync(packed) : packed, padding);
    offset += bytes + padding.length;
  }
  return Buffer.concat(parts);
};
