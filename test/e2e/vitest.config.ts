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
    // Of a run that was started by hand: main.ts names a file for each host.
    outputFile: { json: 'build/test-results/e2e.json' },
  },
});
