/** The failure of a check: the violated guarantee, and the data that shows it. */

/** The error of a violated guarantee; the sentence says which one. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

export function ensure(condition: boolean, promise: string, evidence: unknown): void {
  if (!condition) throw new Violation(`${promise}: ${JSON.stringify(evidence)}`);
}
