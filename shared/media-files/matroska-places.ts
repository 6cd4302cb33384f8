/** Checks where the elements of a WebM or Matroska are: the format allows each only in certain others. */
import { type Element, idsOf } from './matroska-elements.ts';
import { contradictory } from './media-fault.ts';

export const ids = {
  head: 0x1a45dfa3,
  docType: 0x4282,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  blockDuration: 0x9b,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  seekPosition: 0x53ac,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cuePositions: 0xb7,
  cueCluster: 0xf1,
  chapters: 0x1043a770,
  tags: 0x1254c367,
  attachments: 0x1941a469,
  attachedFile: 0x61a7,
  fileDescription: 0x467e,
  fileName: 0x466e,
  fileType: 0x4660,
  fileData: 0x465c,
  additions: 0x75a1,
  addition: 0xa6,
  padding: 0xec,
  checksum: 0xbf,
} as const;

const topLevel = 0;
/**
 * Elements that are read one child at a time, and the children that each may have: decoders that find an unknown child,
 * or cannot parse one, look for the next cluster inside what follows.
 */
const homes: ReadonlyMap<number, ReadonlySet<number>> = new Map([
  // Padding is allowed here, too, but decoders look for a segment inside of it, and no usual program writes any.
  [topLevel, idsOf('1a45dfa3 18538067')],
  [ids.segment, idsOf('ec bf 114d9b74 1549a966 1f43b675 1654ae6b 1c53bb6b 1941a469 1043a770 1254c367')],
  [ids.cluster, idsOf('ec bf e7 5854 a7 ab a3 a0')],
  [ids.blockGroup, idsOf('ec bf a1 75a1 9b fa fb fd a4 75a2 8e c8')],
  [ids.additions, idsOf('ec bf a6')],
  [ids.addition, idsOf('ec bf a5 ed ee 41e7')],
  [ids.attachments, idsOf('ec bf 61a7')],
  [ids.attachedFile, idsOf('ec bf 467e 466e 4660 465c 46ae 4675 4661 4662')],
]);

export const isEntered = ({ id }: Element): boolean => homes.has(id);

const isIn = (parent: Element | undefined, id: number): boolean => homes.get(parent?.id ?? topLevel)?.has(id) ?? false;

export class MatroskaPlaces {
  /** The elements around the current position. */
  #path: Element[] = [];
  /** Whether the segment, which contains all media, has begun. */
  #hasBegun = false;
  /** The elements of the segment but its clusters, by their positions. */
  readonly #found = new Map<number, number>();
  readonly #sought: { readonly id: number; readonly at: number }[] = [];

  /** Enters an element, which must be allowed where it is. @throws {MediaFault} contradictory */
  enter(element: Element, at: number): void {
    const { id, content, end } = element;
    const path = this.#path;
    while (path.length > 0 && at >= (path.at(-1)?.end ?? Number.POSITIVE_INFINITY)) path.pop();
    // A cluster without a size ends where the next element of the segment begins.
    if (path.length > 1 && path.at(-1)?.end === undefined && !isIn(path.at(-1), id)) path.pop();
    const parent = path.at(-1);
    // Behind the segment, decoders look for further clusters, even inside of elements that they do not know.
    if (parent === undefined && this.#hasBegun) throw contradictory('has bytes behind its media');
    this.#hasBegun ||= id === ids.segment;
    const isWithin = (end ?? content) <= (parent?.end ?? Number.POSITIVE_INFINITY);
    const hasEnd = end !== undefined || id === ids.segment || id === ids.cluster;
    if (!isIn(parent, id) || !isWithin || !hasEnd) throw contradictory('has an element where its format allows none');
    if (parent?.id === ids.segment && id !== ids.cluster) this.#found.set(at, id);
    if (homes.has(id)) path.push(element);
  }

  /** Continues at another cluster of the segment. */
  leap(): void {
    this.#path = this.#path.slice(0, 1);
  }

  /** Records where the file's list of elements (SeekHead) points; decoders follow all entries but those to clusters. */
  seek(id: number, at: number): void {
    if (id !== ids.cluster) this.#sought.push({ id, at });
  }

  /** Rejects a list of elements that points elsewhere before the end of the file. @throws {MediaFault} contradictory */
  requireSought(end: number): void {
    for (const { id, at } of this.#sought) {
      const found = this.#found.get(at);
      if (at < end && found !== id && found !== ids.padding) {
        throw contradictory('has an index that does not lead to its media');
      }
    }
  }
}
