/** How a check fails: with the promise that was broken, and what shows it. */

/** A broken promise; the sentence says which. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

export function ensure(condition: boolean, promise: string, evidence: unknown): void {
  if (!condition) throw new Violation(`${promise}: ${JSON.stringify(evidence)}`);
}
