/** Chooses which clusters in the middle of a large WebM or Matroska are read: the choice is unpredictable. */
import { type Work, workLimits } from './work.ts';

/** A cluster that was skipped without reading its blocks. */
export interface Cluster {
  readonly at: number;
  readonly end: number;
  /** When it begins, in units of the file. */
  readonly time: number;
}

/** Consecutive clusters, and how many units of time lie between their beginning and that of the next cluster. */
export interface Stretch {
  readonly at: number;
  readonly end: number;
  readonly units: number;
}

/**
 * The least length of a stretch (consecutive clusters that are checked together), in seconds or bytes: writers may
 * store audio a little before or after the video frames that it belongs to, so a single cluster may have more or less
 * audio than its duration.
 */
const least = { seconds: 5, bytes: 4 * 2 ** 20 } as const;
/**
 * How many bytes of stretches to read at most, and which share of the remaining work they may take: the rest of a file
 * of several hours needs the rest of the work.
 */
const maxBytes = 128 * 2 ** 20;
const spentShare = 1 / 4;

/** All clusters, grouped into stretches; `until` is when the cluster after the last one begins. */
function stretchesOf(clusters: readonly Cluster[], until: number, clock: number): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let [first] = clusters;
  for (const [index, { end }] of clusters.entries()) {
    const next = clusters[index + 1];
    if (!first) break;
    const stretch = { at: first.at, end, units: (next?.time ?? until) - first.time };
    if (next && stretch.units * clock < least.seconds && end - first.at < least.bytes) continue;
    stretches.push(stretch);
    first = next;
  }
  return stretches;
}

/**
 * The stretches to read, in random order, until a limit of bytes or of work is reached; the larger a stretch is, the
 * more probably it is chosen. `clock` is the length of a unit of time in seconds.
 */
export function* chosenStretches(
  clusters: readonly Cluster[],
  until: number,
  clock: number,
  work: Work,
): Generator<Stretch> {
  const maxElements = work.elements + (workLimits.elements - work.elements) * spentShare;
  const maxExamined = work.examined + workLimits.examined * spentShare;
  const drawn = stretchesOf(clusters, until, clock)
    .map((stretch) => ({ stretch, order: -Math.log(1 - work.random()) / (stretch.end - stretch.at) }))
    .sort((one, other) => one.order - other.order);
  let bytes = 0;
  for (const { stretch } of drawn) {
    bytes += stretch.end - stretch.at;
    if (bytes > maxBytes || work.elements > maxElements || work.examined > maxExamined) return;
    yield stretch;
  }
}
