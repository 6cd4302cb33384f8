/** The configuration of mutation tests: how mutants are created, tested and judged. */
const directory = 'build/mutation';

export default {
  // The mutated modules: rules of money, states, keys, log-ins and inboxes, and the protection of outgoing requests.
  mutate: [
    'shared/domain/{accounts,billing,engine-jobs,generation,idempotency,sessions,task-lifecycle,tasks,tokens,webhooks}/**/*.ts',
    'shared/domain/piloto/{comments,conversations,pages,synchronization}/*.ts',
    'shared/domain/{rate-limit,stored-row}.ts',
    'shared/platform/{bounded-body,dial-address,growing-block,outbound,request-url,safe-fetch,until-aborted,url-policy}.ts',
    'shared/runtime/authenticate-token.ts',
  ],
  thresholds: { high: 95, low: 90, break: 90 },
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/verification/mutation/vitest.config.ts' },
  // A mutant is tested only by the tests that run its code.
  coverageAnalysis: 'perTest',
  ignorePatterns: [
    '**',
    '!package.json',
    '!{bench,docs,fakes,functions,infra,offline-engine,shared,state-machines,test}/**',
  ],
  // Tests run without type checks.
  disableTypeChecks: false,
  // All tests run once before the first mutant, which takes long on a busy machine.
  dryRunTimeoutMinutes: 30,
  tempDirName: `${directory}/sandbox`,
  cleanTempDir: 'always',
  reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only', 'clear-text', 'html'],
  clearTextReporter: { logTests: false, reportTests: false },
  htmlReporter: { fileName: `${directory}/report.html` },
  logLevel: 'warn',
  // Mutants of constants and patterns are slow to test, but these modules' rules consist of them.
  warnings: { slow: false },
};
