/** Chooses non-overlapping spans of a video: as many as requested, with the highest total rating. */

/** A time at which a span may begin or end, with a rating for each. */
export interface CutPoint {
  readonly time: number;
  readonly start?: number;
  readonly end?: number;
}

export interface Lengths {
  readonly min: number;
  readonly max: number;
}

/** A span from one cut point to a later one. */
export interface CutSpan {
  readonly from: CutPoint;
  readonly to: CutPoint;
}

export type RateSpan = (from: CutPoint, to: CutPoint) => number;

/**
 * Dynamic programming: the best total rating of 0, 1, … spans that end at or before each cut point, and where the last
 * of them begins.
 */
interface Table {
  readonly best: readonly Float64Array[];
  /** The index where the last span begins; -1 if the last span ends earlier. */
  readonly begins: readonly Int32Array[];
}

function tabulate(cutPoints: readonly CutPoint[], count: number, lengths: Lengths, rate: RateSpan): Table {
  const size = cutPoints.length;
  const best = Array.from({ length: count + 1 }, (_, spans) =>
    new Float64Array(size).fill(spans ? Number.NEGATIVE_INFINITY : 0),
  );
  const begins = Array.from({ length: count + 1 }, () => new Int32Array(size).fill(-1));
  for (const [at, to] of cutPoints.entries()) {
    for (const row of best) row[at] = Math.max(row[at] ?? 0, row[at - 1] ?? Number.NEGATIVE_INFINITY);
    if (to.end === undefined) continue;
    for (let first = at - 1; first >= 0; first -= 1) {
      const from = cutPoints[first];
      if (!from || to.time - from.time > lengths.max) break;
      if (from.start === undefined || to.time - from.time < lengths.min) continue;
      const rated = rate(from, to);
      for (let spans = 1; spans <= count; spans += 1) {
        const sum = (best[spans - 1]?.[first] ?? 0) + rated;
        const [sums, firsts] = [best[spans], begins[spans]];
        if (!sums || !firsts || sum <= (sums[at] ?? 0)) continue;
        sums[at] = sum;
        firsts[at] = first;
      }
    }
  }
  return { best, begins };
}

/** Chooses the spans. The cut points are sorted by time. Undefined if that many spans do not fit. */
export function bestSpans(
  cutPoints: readonly CutPoint[],
  count: number,
  lengths: Lengths,
  rate: RateSpan,
): readonly CutSpan[] | undefined {
  const { best, begins } = tabulate(cutPoints, count, lengths, rate);
  let at = cutPoints.length - 1;
  if (!Number.isFinite(best[count]?.[at])) return undefined;
  const spans: CutSpan[] = [];
  for (let left = count; left > 0; ) {
    const first = begins[left]?.[at] ?? -1;
    const [from, to] = [cutPoints[first], cutPoints[at]];
    if (!from || !to) {
      at -= 1;
      continue;
    }
    spans.push({ from, to });
    [left, at] = [left - 1, first];
  }
  return spans;
}
