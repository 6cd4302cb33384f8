/** Adds up the usage of each combination of some keys. */
import { addSums, type UsageSums } from './usage.ts';

/** Sorts the rows by their keys; an absent value comes first. */
export function groupUsage<Key extends string, Entry extends UsageSums & Readonly<Record<Key, string | null>>>(
  entries: readonly Entry[],
  keys: readonly Key[],
): (Pick<Entry, Key> & UsageSums)[] {
  const rows = new Map<string, Pick<Entry, Key> & UsageSums>();
  for (const entry of entries) {
    const name = keys.map((key) => entry[key] ?? '').join(' ');
    const row = Object.fromEntries(keys.map((key) => [key, entry[key]])) as Pick<Entry, Key>;
    rows.set(name, { ...row, ...addSums(rows.get(name), entry) });
  }
  return [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}
