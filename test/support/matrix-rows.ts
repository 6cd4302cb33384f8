/** The rows of a test in a `*.matrix.test.ts` file: all in the deep tests, and examples in the quick ones. */
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether a matrix is tested completely. */
    readonly everyRow?: boolean;
  }
}

/** How many rows the quick tests have of each matrix. */
const examples = 4;

/** Examples at equal distances, the first and the last row among them. */
export function examplesOf<Row>(rows: readonly Row[]): readonly Row[] {
  if (rows.length <= examples) return rows;
  const distance = (rows.length - 1) / (examples - 1);
  const places = Array.from({ length: examples }, (_, at) => Math.round(at * distance));
  return rows.filter((_, place) => places.includes(place));
}

export const matrixRows = <Row>(rows: readonly Row[]): readonly Row[] => (inject('everyRow') ? rows : examplesOf(rows));
