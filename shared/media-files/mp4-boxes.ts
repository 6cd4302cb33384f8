/** The boxes of an MP4 or MOV, each only where its format has it. */
import { contradictory, unreadable } from './media-fault.ts';
import type { Work } from './work.ts';

export interface Box {
  readonly type: string;
  readonly content: Buffer;
}

/** Those that decide how long a file lasts, with the box that they belong into: some players find them anywhere. */
const homes: Readonly<Record<string, string>> = {
  moov: '',
  moof: '',
  trak: 'moov',
  mvex: 'moov',
  mvhd: 'moov',
  tkhd: 'trak',
  edts: 'trak',
  mdia: 'trak',
  elst: 'edts',
  mdhd: 'mdia',
  minf: 'mdia',
  stbl: 'minf',
  stsd: 'stbl',
  stts: 'stbl',
  ctts: 'stbl',
  stsc: 'stbl',
  stsz: 'stbl',
  stz2: 'stbl',
  stco: 'stbl',
  co64: 'stbl',
  trex: 'mvex',
  traf: 'moof',
  tfhd: 'traf',
};
/** What players look into beside those. */
const transparent = new Set(['udta', 'dinf', 'tref', 'gmhd', 'clip', 'wave']);
const repeatable = new Set(['trak', 'trex', 'traf']);
const deepest = 8;

/** The size of a box within another; undefined where its boxes end. */
function sizeAt(content: Buffer, at: number): { readonly size: number; readonly header: number } | undefined {
  if (at + 8 > content.length) return undefined;
  const short = content.readUInt32BE(at);
  if (short !== 1) return short >= 8 ? { size: short, header: 8 } : undefined;
  if (at + 16 > content.length) return undefined;
  const size = Number(content.readBigUInt64BE(at + 8));
  return size >= 16 ? { size, header: 16 } : undefined;
}

/** @throws {MediaFault} contradictory, for a box where no file has it */
function requireHome(box: Box, parent: string, work: Work, depth: number): void {
  const home = homes[box.type];
  if (home !== undefined && home !== parent) throw contradictory(`has a box ${box.type} in a box ${parent}`);
  if (!transparent.has(box.type)) return;
  if (depth > deepest) throw contradictory('has boxes in boxes without end');
  let at = 0;
  for (let next = sizeAt(box.content, 0); next && at + next.size <= box.content.length; ) {
    work.visit();
    const type = box.content.toString('latin1', at + 4, at + 8);
    const content = box.content.subarray(at + next.header, at + next.size);
    requireHome({ type, content }, box.type, work, depth + 1);
    at += next.size;
    next = sizeAt(box.content, at);
  }
}

/** The boxes in the content of one, by their types. @throws {MediaFault} unreadable, contradictory, excessive */
export function childrenOf(parent: string, content: Buffer, work: Work): ReadonlyMap<string, readonly Buffer[]> {
  const children = new Map<string, Buffer[]>();
  let at = 0;
  for (let next = sizeAt(content, 0); next; next = sizeAt(content, at)) {
    work.visit();
    if (at + next.size > content.length) throw unreadable();
    const type = content.toString('latin1', at + 4, at + 8);
    const child = content.subarray(at + next.header, at + next.size);
    requireHome({ type, content: child }, parent, work, 0);
    const known = children.get(type);
    if (known && type in homes && !repeatable.has(type))
      throw contradictory(`has two boxes ${type} in a box ${parent}`);
    if (known) known.push(child);
    else children.set(type, [child]);
    at += next.size;
  }
  return children;
}

/** The number of entries that a table declares. @throws {MediaFault} unreadable, if they are not all there */
export function entriesIn(table: Buffer, countAt: number, bytesEach: number): number {
  if (table.length < countAt + 4) throw unreadable();
  const count = table.readUInt32BE(countAt);
  if (countAt + 4 + count * bytesEach > table.length) throw unreadable();
  return count;
}
