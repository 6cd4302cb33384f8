/** Parses the boxes of an MP4 or MOV, and accepts each only where its format allows it. */
import { contradictory, unreadable } from './media-fault.ts';
import type { Work } from './work.ts';

export interface Box {
  readonly type: string;
  readonly content: Buffer;
}

/** The names under which audio and video sample entries appear as parents of boxes. */
export const sampleEntry = 'entry';
export const pictureEntry = 'picture';

/**
 * Boxes that determine a file's duration, or how decoders read its sound, and their allowed parents: some players also
 * find them elsewhere, and apply them to the track before.
 */
const homes: Readonly<Record<string, readonly string[]>> = {
  moov: [''],
  moof: [''],
  trak: ['moov'],
  mvex: ['moov'],
  mvhd: ['moov'],
  tkhd: ['trak'],
  edts: ['trak'],
  mdia: ['trak'],
  elst: ['edts'],
  mdhd: ['mdia'],
  hdlr: ['mdia', 'minf', 'meta'],
  minf: ['mdia'],
  stbl: ['minf'],
  stsd: ['stbl'],
  stts: ['stbl'],
  ctts: ['stbl'],
  stsc: ['stbl'],
  stsz: ['stbl'],
  stz2: ['stbl'],
  stco: ['stbl'],
  co64: ['stbl'],
  wave: [sampleEntry],
  esds: [sampleEntry, 'wave', pictureEntry],
  alac: [sampleEntry, 'wave'],
  damr: [sampleEntry, 'wave'],
  pcmC: [sampleEntry],
  srat: [sampleEntry],
  dac3: [sampleEntry, 'wave'],
  dec3: [sampleEntry, 'wave'],
  ddts: [sampleEntry, 'wave'],
  dmlp: [sampleEntry, 'wave'],
  dOps: [sampleEntry, 'wave'],
  dfLa: [sampleEntry, 'wave'],
  chan: [sampleEntry, 'wave'],
  chnl: [sampleEntry, 'wave'],
  SA3D: [sampleEntry, 'wave'],
  // The configuration of a video decoder would replace that of audio. Still images outside of the tracks have one, too.
  avcC: [pictureEntry, 'ipco'],
  hvcC: [pictureEntry, 'ipco'],
  vvcC: [pictureEntry, 'ipco'],
  evcC: [pictureEntry, 'ipco'],
  lvcC: [pictureEntry, 'ipco'],
  av1C: [pictureEntry, 'ipco'],
  dvc1: [pictureEntry],
  glbl: [sampleEntry, pictureEntry],
  trex: ['mvex'],
  traf: ['moof'],
  tfhd: ['traf'],
  tfdt: ['traf'],
  trun: ['traf'],
  sidx: [''],
  // Not allowed inside other boxes: decoders skip everything in such a box that follows the media data.
  mdat: [''],
  // Audio descriptions in the form of other formats (AVI, WAV, IAMF) are allowed nowhere.
  strf: [],
  wfex: [],
  iacb: [],
  // Boxes of compressed indexes, and of indexes in another file, are allowed nowhere.
  cmov: [],
  dcom: [],
  cmvd: [],
  hoov: [],
  rmra: [],
};
const repeatable = new Set(['trak', 'trex', 'traf', 'trun']);
/** Further boxes inside which players look for other boxes. */
const searched = new Set(['udta', 'meta', 'dinf', 'tref', 'sinf', 'ilst', 'gmhd', 'strk', 'ipro']);
/** Boxes inside which no player looks for other boxes; free space may contain an old index. */
const opaque = new Set(['free', 'skip', 'wide', 'mdat', 'uuid', 'idat']);
const deepest = 8;

/**
 * The kinds of tracks. A misplaced handler must not declare one of these, because decoders would then change the kind
 * of its track.
 */
const trackKinds = /^(?:soun|vide|m1a |subp|clcp)$/;

/** The type of the box at a position. Calls of `toString` would take half of the time of reading small boxes. */
const typeAt = (content: Buffer, at: number): string =>
  String.fromCharCode(content[at + 4] ?? 0, content[at + 5] ?? 0, content[at + 6] ?? 0, content[at + 7] ?? 0);

/** The size of a box within another; undefined after the last box. */
function sizeAt(content: Buffer, at: number): { readonly size: number; readonly header: number } | undefined {
  if (at + 8 > content.length) return undefined;
  const short = content.readUInt32BE(at);
  if (short !== 1) return short >= 8 ? { size: short, header: 8 } : undefined;
  if (at + 16 > content.length) return undefined;
  const size = Number(content.readBigUInt64BE(at + 8));
  return size >= 16 ? { size, header: 16 } : undefined;
}

const placeOf = (parent: string): string =>
  parent === '' ? 'at the top level' : `in a box ${parent.replaceAll(/[^\w.-]/g, '?')}`;

/**
 * Rejects a box that ends beyond its parent or not at all, because some players truncate it there. @throws {MediaFault}
 * contradictory
 */
function requireNoRest(content: Buffer, at: number): void {
  if (at + 8 > content.length) return;
  const type = typeAt(content, at);
  if (type in homes || searched.has(type)) throw contradictory(`has a box ${type} without an end`);
}

/**
 * Where the boxes in another may begin: after a version field or without it. In `meta`, decoders skip everything before
 * its handler.
 */
function startsOf(type: string, content: Buffer): readonly number[] {
  if (type === 'wave') return [0];
  if (type !== 'meta') return [0, 4];
  let at = content.indexOf('hdlr');
  while (at % 4 > 0) at = content.indexOf('hdlr', at + 1);
  return at < 8 ? [0, 4] : [0, 4, at - 4];
}

/**
 * Rejects misplaced boxes. Unknown boxes may contain boxes, with or without a version field, so their content is
 * checked too. @throws {MediaFault} contradictory
 */
export function requireHome({ type, content }: Box, parent: string, work: Work, depth = 0): void {
  const home = homes[type];
  const isSecondKind = type === 'hdlr' && parent !== 'mdia' && trackKinds.test(content.toString('latin1', 8, 12));
  if ((home && !home.includes(parent)) || isSecondKind) throw contradictory(`has a box ${type} ${placeOf(parent)}`);
  // Known boxes are checked where they are read.
  if (opaque.has(type) || (home && type !== 'wave')) return;
  if (depth > deepest) throw contradictory('has boxes in boxes without end');
  for (const from of startsOf(type, content)) {
    let at = from;
    for (let next = sizeAt(content, at); next && at + next.size <= content.length; next = sizeAt(content, at)) {
      work.visit();
      const inner = typeAt(content, at);
      requireHome({ type: inner, content: content.subarray(at + next.header, at + next.size) }, type, work, depth + 1);
      at += next.size;
    }
    requireNoRest(content, at);
  }
}

/** Rejects a box without a size: some players extend it to the end of its parent, others ignore it. */
function requireEnd(content: Buffer, at: number): void {
  if (at + 8 > content.length || content.readUInt32BE(at) !== 0) return;
  if (/^[ -~]{4}$/.test(typeAt(content, at))) throw contradictory('has a box without a size');
}

/** The boxes in the content of another, in their order. @throws {MediaFault} unreadable, contradictory, excessive */
export function* boxesIn(parent: string, content: Buffer, work: Work): Generator<Box> {
  const known = new Set<string>();
  let at = 0;
  for (let next = sizeAt(content, 0); next; next = sizeAt(content, at)) {
    work.visit();
    if (at + next.size > content.length) throw unreadable();
    const box = { type: typeAt(content, at), content: content.subarray(at + next.header, at + next.size) };
    requireHome(box, parent, work);
    if (box.type in homes && !repeatable.has(box.type)) {
      if (known.has(box.type)) throw contradictory(`has two boxes ${box.type} ${placeOf(parent)}`);
      known.add(box.type);
    }
    yield box;
    at += next.size;
  }
  requireEnd(content, at);
}

/** The boxes in the content of another, by type. @throws {MediaFault} unreadable, contradictory, excessive */
export function childrenOf(parent: string, content: Buffer, work: Work): ReadonlyMap<string, readonly Buffer[]> {
  const children = new Map<string, Buffer[]>();
  for (const { type, content: child } of boxesIn(parent, content, work)) {
    const alike = children.get(type);
    if (alike) alike.push(child);
    else children.set(type, [child]);
  }
  return children;
}

/** The number of entries that a table declares. @throws {MediaFault} unreadable, if it has fewer */
export function entriesIn(table: Buffer, countAt: number, bytesEach: number): number {
  if (table.length < countAt + 4) throw unreadable();
  const count = table.readUInt32BE(countAt);
  if (countAt + 4 + count * bytesEach > table.length) throw unreadable();
  return count;
}
