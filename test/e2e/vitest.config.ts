import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { SlowestFirst } from '../support/slowest-first.ts';

/** Runs the suite against a running service: see main.ts. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.e2e.ts'],
    // One of them waits for a minute.
    maxWorkers: 5,
    // Node runs the files as they are, which takes less CPU time than Vite.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: ['test/support/direct-imports.ts'],
    sequence: { sequencer: SlowestFirst },
    // Only a hang takes this long, even on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    env: {
      // Settings of services that tests start themselves.
      POWERTOOLS_LOG_LEVEL: 'SILENT',
      POWERTOOLS_METRICS_DISABLED: 'true',
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compiled'),
    },
    reporters: ['verbose', 'json'],
    // The output file of a run that was started by hand: main.ts names one for each host.
    outputFile: { json: 'build/test-results/e2e.json' },
  },
});
