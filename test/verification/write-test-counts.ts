/** Tells CI how many tests a custom runner passed and failed, in the format of Vitest's results. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder in which CI counts the tests of all runners. */
const resultsDirectory = 'build/test-results';

export function writeTestCounts(runner: string, counts: { readonly passed: number; readonly failed: number }): void {
  mkdirSync(resultsDirectory, { recursive: true });
  const written = { numPassedTests: counts.passed, numFailedTests: counts.failed };
  writeFileSync(join(resultsDirectory, `${runner}.json`), JSON.stringify(written));
}
