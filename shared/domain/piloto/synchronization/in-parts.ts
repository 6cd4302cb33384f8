/** Splits lists into chunks. */

/** The chunk size: as many rows as one DynamoDB request reads and one transaction deletes. */
export const partLength = 100;

export const inParts = <Entry>(entries: readonly Entry[]): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / partLength) }, (_, part) =>
    entries.slice(part * partLength, (part + 1) * partLength),
  );
