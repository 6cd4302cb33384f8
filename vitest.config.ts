import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Each file may run a whole service of its own; the machine that is measured against has two cores.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true' },
  },
});
