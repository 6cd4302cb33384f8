/** The tests that must detect each mutant: by default, the quick ones that reach the domain. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [process.env.MUTATION_TESTS ?? 'test/{domain,functions,platform,runtime}/**/*.test.ts'],
    exclude: ['test/**/*.deep.test.ts'],
    setupFiles: ['test/verification/mutation/first-failure.ts'],
    // The time limit is generous, for busy machines: Stryker itself ends mutants that hang.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
  },
});
