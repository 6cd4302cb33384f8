/** Finds circular imports. */

export type Edge = readonly [from: string, to: string];

/** The groups of files that all import each other, directly or indirectly, each sorted by name. */
export function circlesIn(edges: readonly Edge[]): readonly (readonly string[])[] {
  const next = Map.groupBy(
    edges.filter(([from, to]) => from !== to),
    ([from]) => from,
  );
  const reached = new Map<string, ReadonlySet<string>>();
  const reachedFrom = (start: string): ReadonlySet<string> => {
    const known = reached.get(start);
    if (known) return known;
    const found = new Set<string>();
    const open = [start];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const [, to] of next.get(node) ?? []) {
        if (found.has(to)) continue;
        found.add(to);
        open.push(to);
      }
    }
    reached.set(start, found);
    return found;
  };
  const inCircle = [...next.keys()].filter((node) => reachedFrom(node).has(node)).toSorted();
  const groups = Map.groupBy(inCircle, (node) =>
    inCircle.find((other) => reachedFrom(node).has(other) && reachedFrom(other).has(node)),
  );
  return [...groups.values()];
}
