/** How mutants are made and tested; `main.ts` selects the files and judges the report. */
const directory = 'build/mutation';

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/verification/mutation/vitest.config.ts' },
  coverageAnalysis: 'perTest',
  ignorePatterns: [
    '**',
    '!package.json',
    '!{bench,docs,fakes,functions,infra,offline-engine,shared,state-machines,test}/**',
  ],
  // Tests run without type checks.
  disableTypeChecks: false,
  // All tests of a module run once before its first mutant, which takes long on a busy machine.
  dryRunTimeoutMinutes: 30,
  tempDirName: `${directory}/sandbox`,
  cleanTempDir: 'always',
  reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only', 'json', 'html'],
  jsonReporter: { fileName: `${directory}/report.json` },
  htmlReporter: { fileName: `${directory}/report.html` },
  logLevel: 'warn',
  // Mutants of constants and patterns are slow, but these carry the rules.
  warnings: { slow: false },
};
