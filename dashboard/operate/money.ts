/** Formats what engines charge. */

/** Millionths of a US dollar as dollars with four digits. */
export const dollars = (micros: number | null): string =>
  micros === null ? '–' : `$${(micros / 1_000_000).toFixed(4)}`;
