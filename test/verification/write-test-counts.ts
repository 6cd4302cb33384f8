/** Tells CI how many tests a runner of our own passed and failed, in the form of Vitest's results. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where CI counts what all test runners did. */
const resultsDirectory = 'build/test-results';

export function writeTestCounts(runner: string, counts: { readonly passed: number; readonly failed: number }): void {
  mkdirSync(resultsDirectory, { recursive: true });
  const written = { numPassedTests: counts.passed, numFailedTests: counts.failed };
  writeFileSync(join(resultsDirectory, `${runner}.json`), JSON.stringify(written));
}
