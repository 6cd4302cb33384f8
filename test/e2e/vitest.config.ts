import { defineConfig } from 'vitest/config';

/** The suite against a running service: see main.ts. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.e2e.ts'],
    maxWorkers: 4,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Of services that tests start themselves.
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true' },
    reporters: ['verbose', 'json'],
  },
});
