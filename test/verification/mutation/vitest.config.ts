/** The tests that must detect each mutant: by default, the quick ones that reach the domain. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [process.env.MUTATION_TESTS ?? 'test/{domain,functions,platform,runtime}/**/*.test.ts'],
    exclude: ['test/**/*.deep.test.ts'],
    setupFiles: ['test/verification/mutation/first-failure.ts'],
    // Generous, for a busy machine: Stryker itself ends a mutant that hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
  },
});
