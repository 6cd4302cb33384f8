/** Runs the tests that `main.ts` has selected. */
import { statSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { mutationTestsVariable } from './selection.ts';

const bytesOf = ({ moduleId }: TestSpecification): number => statSync(moduleId).size;

/** A mutant is killed by the first failure, so small tests, which are mostly quick, run first. */
class SmallestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => bytesOf(one) - bytesOf(other));
  }
}

export default defineConfig({
  test: {
    include: process.env[mutationTestsVariable]?.split(' ') ?? [],
    setupFiles: ['test/verification/mutation/first-failure.ts'],
    sequence: { sequencer: SmallestFirst },
    // Generous, for a busy machine: Stryker itself ends a mutant that hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
  },
});
