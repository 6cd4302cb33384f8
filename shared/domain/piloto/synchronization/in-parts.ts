/** Splits lists into parts. */

/** As many rows as one request reads and one transaction deletes. */
export const partLength = 100;

export const inParts = <Entry>(entries: readonly Entry[]): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / partLength) }, (_, part) =>
    entries.slice(part * partLength, (part + 1) * partLength),
  );
