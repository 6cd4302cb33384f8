import { defineConfig } from 'vitest/config';
import { SlowestFirst } from '../support/slowest-first.ts';

/** Runs the suite against a running service: see main.ts. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.e2e.ts'],
    maxWorkers: 4,
    sequence: { sequencer: SlowestFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Settings of services that tests start themselves.
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true' },
    reporters: ['verbose', 'json'],
    // The output file of a run that was started by hand: main.ts names one for each host.
    outputFile: { json: 'build/test-results/e2e.json' },
  },
});
