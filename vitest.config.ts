import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Many files start a service of their own; the reference machine has two cores.
    maxWorkers: 2,
    // Only a hang takes this long, even on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true' },
    ...(process.env.CI && {
      reporters: ['default', 'json'],
      outputFile: { json: 'build/test-results/unit.json' },
    }),
  },
});
