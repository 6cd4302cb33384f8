/** How mutants are made and tried; `main.ts` says which, and judges what becomes of them. */
const directory = 'build/mutation';

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/verification/mutation/vitest.config.ts' },
  coverageAnalysis: 'perTest',
  ignorePatterns: ['**', '!package.json', '!{infra,shared,test}/**'],
  // Nobody checks types there.
  disableTypeChecks: false,
  tempDirName: `${directory}/sandbox`,
  cleanTempDir: 'always',
  reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only', 'json', 'html'],
  jsonReporter: { fileName: `${directory}/report.json` },
  htmlReporter: { fileName: `${directory}/report.html` },
  logLevel: 'warn',
  // Constants and patterns are what the rules are made of: their mutants are worth the time that they take.
  warnings: { slow: false },
};
