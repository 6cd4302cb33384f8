/**
 * Adds up what the test runners wrote to a folder, and prints one line: "N passed, N failed". The second argument is
 * the exit status of the gate: one that failed without a failed test, such as at a lint error, counts as a failure.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , folder, exitStatus = '0'] = process.argv;
const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
const results = files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** A file that could not be imported, whose hook failed or whose process crashed has no failed test of its own. */
const failedWithoutTest = ({ testResults = [] }) =>
  testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((assertion) => assertion.status !== 'failed'),
  ).length;

const passed = sum(results.map(({ numPassedTests }) => numPassedTests));
const failed = sum(results.map((result) => result.numFailedTests + failedWithoutTest(result)));
console.log(`${passed} passed, ${failed === 0 && exitStatus !== '0' ? 1 : failed} failed`);
