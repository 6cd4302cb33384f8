/** The tests that mutants are held against, which `main.ts` chooses. */
import { statSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { mutationTestsVariable } from './selection.ts';

const bytesOf = ({ moduleId }: TestSpecification): number => statSync(moduleId).size;

/** A mutant is dead at the first failure: what is small, and so mostly quick, comes before what takes its time. */
class SmallestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => bytesOf(one) - bytesOf(other));
  }
}

export default defineConfig({
  test: {
    include: process.env[mutationTestsVariable]?.split(' ') ?? [],
    sequence: { sequencer: SmallestFirst },
    testTimeout: 15_000,
    hookTimeout: 30_000,
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
  },
});
