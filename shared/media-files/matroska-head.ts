/** Reads what a WebM or Matroska declares: its type, its unit of time, its index and its tracks. */
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';
import { type Element, elementsIn, floatIn, requireElements, unsignedIn } from './matroska-elements.ts';
import { ids, MatroskaPlaces } from './matroska-places.ts';
import { MatroskaTimes } from './matroska-times.ts';
import { tracksIn } from './matroska-tracks.ts';
import { contradictory, excessive, truncated, unreadable } from './media-fault.ts';
import type { Work } from './work.ts';

/** Elements that are read as a whole. */
const listings = new Set<number>([ids.info, ids.seekHead, ids.tracks, ids.cues, ids.chapters, ids.tags]);
export const largestElement = 4 * 2 ** 20;

/**
 * The elements of an EBML header (RFC 8794, section 11.2): versions, the largest lengths, the type and its extensions,
 * and a checksum.
 */
const headIds = new Set<number>([0x4286, 0x42f7, 0x42f2, 0x42f3, ids.docType, 0x4287, 0x4285, 0x4281, ids.checksum]);
const largestHead = 512;

/**
 * The usual unit of time in nanoseconds: a millisecond. A large file may have no longer unit, because only the times of
 * some of its clusters are read, and a block may begin up to 32,767 units after its cluster.
 */
export const usualScale = 1_000_000;

export interface Found {
  docType: string;
  segmentAt: number;
  scale: number;
  /** Whether an Info element was read, or clusters have begun: decoders disagree about any later one. */
  isInfoOver: boolean;
  declared: number;
  cuesAt: number | undefined;
  readonly places: MatroskaPlaces;
  times: MatroskaTimes | undefined;
  /** The end of the last cluster, if known. */
  clusterEnd: number | undefined;
  /** Whether pictures are examined, which is not necessary if the content is measured again. */
  readonly checksPictures: boolean;
}

export const nothingFound = (checksPictures: boolean): Found => ({
  checksPictures,
  docType: '',
  segmentAt: 0,
  scale: usualScale,
  isInfoOver: false,
  declared: 0,
  cuesAt: undefined,
  places: new MatroskaPlaces(),
  times: undefined,
  clusterEnd: undefined,
});

export function* contentOf(file: FileWindow, { content, end }: Element): Walk<Buffer> {
  if (end === undefined) throw unreadable();
  if (end - content > largestElement) throw excessive();
  if (!(yield* file.load(content, end - content))) throw truncated();
  return file.view(content, end - content);
}

function readInfo(content: Buffer, found: Found, work: Work): void {
  for (const [id, value] of elementsIn(content, work)) {
    if (id === ids.timestampScale) found.scale = unsignedIn(value);
    if (id === ids.duration) found.declared = floatIn(value);
  }
  if (!(found.scale > 0)) throw unreadable();
}

function readSeekHead(content: Buffer, found: Found, work: Work): void {
  for (const [name, seek] of elementsIn(content, work)) {
    if (name !== ids.seek) continue;
    const values = new Map(elementsIn(seek, work));
    const [id, position] = [values.get(ids.seekId), values.get(ids.seekPosition)];
    if (!id || !position) continue;
    const [soughtId, at] = [unsignedIn(id), found.segmentAt + unsignedIn(position)];
    found.places.seek(soughtId, at);
    if (soughtId === ids.cues) found.cuesAt = at;
  }
}

/** The type in the file's EBML header. Decoders do not recognize a Matroska whose header contains much else. */
function docTypeIn(head: Buffer, work: Work): string {
  const values = new Map(elementsIn(head, work));
  if (head.length > largestHead || [...values.keys()].some((id) => !headIds.has(id)))
    throw contradictory('begins with bytes that are no media');
  const docType = values.get(ids.docType);
  if (!docType) throw unreadable();
  return docType.toString('latin1').replaceAll('\0', '');
}

/** Reads an element outside the clusters, most of which occur once. @throws {MediaFault} */
export function* readHead(file: FileWindow, element: Element, found: Found, work: Work): Walk<void> {
  const { id, content } = element;
  if (listings.has(id)) requireElements(yield* contentOf(file, element), work);
  if (id === ids.head) {
    if (found.docType !== '') throw contradictory('begins twice');
    found.docType = docTypeIn(yield* contentOf(file, element), work);
  } else if (id === ids.segment) found.segmentAt = content;
  else if (id === ids.info) {
    if (found.isInfoOver) throw contradictory('describes itself twice or too late');
    found.isInfoOver = true;
    readInfo(yield* contentOf(file, element), found, work);
  } else if (id === ids.seekHead) readSeekHead(yield* contentOf(file, element), found, work);
  else if (id === ids.tracks) {
    if (found.times) throw contradictory('has two lists of tracks');
    found.times = new MatroskaTimes(tracksIn(yield* contentOf(file, element), work), found.checksPictures);
  }
}
