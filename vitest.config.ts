import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { QuickFileLimit } from './test/support/quick-file-limit.ts';
import { SlowestFirst } from './test/support/slowest-first.ts';

const deep = 'test/**/*.deep.test.ts';
/** Tests with many similar rows, of which the quick tests have examples. */
const matrix = 'test/**/*.matrix.test.ts';

/** If the deep tests run too, they test every row of the matrices, so the quick tests leave out the examples. */
const alsoTestedDeeply = process.argv.includes('deep*') ? [matrix] : [];

/** Files that record output, measure memory, replace signal handlers, start processes or set fonts run alone. */
const alone = [
  'test/verification/{erasure/erased-canaries,secrets/secrets}.deep.test.ts',
  'test/domain/{clips/large-source,task-lifecycle/large-result}/*.deep.test.ts',
  'test/offline-engine/{advert,image,operations,video}/*.deep.test.ts',
];

/** Importing the service anew for each file would take longer than most files. */
const inSharedProcesses = {
  isolate: false,
  setupFiles: [
    'test/support/direct-imports.ts',
    'test/support/restore-environment.ts',
    'test/support/repeatable-properties.ts',
  ],
};

export default defineConfig({
  test: {
    // Half of the time files wait for processes and timers, so that four keep the two cores of the reference machine busy.
    // `npm test` has two, because each process imports and compiles the service, for eight seconds.
    maxWorkers: 4,
    // Node runs the files as they are, which takes less CPU time than Vite. Watching and `related` need Vite's imports.
    experimental: { viteModuleRunner: !process.argv.includes('run'), nodeLoader: false },
    sequence: { sequencer: SlowestFirst },
    // Only a hang takes this long, even on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
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
          ...inSharedProcesses,
          name: 'quick',
          setupFiles: [...inSharedProcesses.setupFiles, 'test/support/measure-cpu.ts'],
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, deep, ...alsoTestedDeeply],
        },
      },
      {
        extends: true,
        test: {
          ...inSharedProcesses,
          name: 'deep',
          include: [deep, matrix],
          provide: { everyRow: true },
          exclude: [...configDefaults.exclude, ...alone],
        },
      },
      {
        extends: true,
        test: { name: 'soak', include: ['test/verification/soak/soak.ts'] },
      },
      {
        extends: true,
        test: { name: 'stripe-mock', include: ['test/verification/stripe-mock/stripe-mock.ts'] },
      },
      {
        extends: true,
        test: { name: 'deep alone', include: alone, setupFiles: ['test/support/repeatable-properties.ts'] },
      },
    ],
    // The scripts of package.json name the file of their results.
    ...(process.env.CI && { reporters: ['default', 'json', new QuickFileLimit()] }),
  },
});
