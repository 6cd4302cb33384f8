import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/support/slowest-first.ts';

/** Files that measure memory, replace signal handlers, start many processes or set fonts: each has its own process. */
const alone = [
  'test/verification/{crash,fuzz}/*.test.ts',
  'test/verification/{secrets/secrets,soak/soak}.test.ts',
  'test/domain/{clips/large-source,tasks/large-result}/*.test.ts',
  'test/offline-engine/{advert,image,operations,video}/*.test.ts',
];

export default defineConfig({
  test: {
    // Half of the time files wait for processes and timers, so that four keep the two cores of the reference machine busy.
    maxWorkers: 4,
    sequence: { sequencer: SlowestFirst },
    // Only a hang takes this long, even on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    env: {
      POWERTOOLS_LOG_LEVEL: 'SILENT',
      POWERTOOLS_METRICS_DISABLED: 'true',
      // The SDK would prefer a profile of the developer's to the keys that tests set.
      AWS_PROFILE: '',
      // Compiling takes a third of the start of each process that tests start.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled'),
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...alone],
          // Importing the service anew for each file would take longer than most files.
          isolate: false,
          setupFiles: ['test/support/restore-environment.ts', 'test/support/repeatable-properties.ts'],
        },
      },
      { extends: true, test: { name: 'alone', include: alone, setupFiles: ['test/support/repeatable-properties.ts'] } },
    ],
    ...(process.env.CI && {
      reporters: ['default', 'json'],
      outputFile: { json: 'build/test-results/unit.json' },
    }),
  },
});
