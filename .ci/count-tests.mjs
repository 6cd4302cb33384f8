/**
 * Adds up what the test runners wrote to a folder. Prints what failed, so that the end of a long output says it, and
 * then one line: "N passed, N failed". The second argument is the exit status of the gate, and the third the command
 * that it ended at: a gate that failed without a failed test, such as at a lint error, counts as a failure.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const [, , folder, exitStatus = '0', command = ''] = process.argv;
const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
const results = files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const firstLine = (message = '') => message.split('\n', 1)[0];

/** A file that could not be imported, whose hook failed or whose process crashed has no failed test of its own. */
const failuresOf = ({ name, message, assertionResults }) => {
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  const file = relative('.', name);
  if (failed.length === 0) return [`${file}: ${firstLine(message)}`];
  return failed.map(({ fullName, failureMessages }) => `${file} > ${fullName}: ${firstLine(failureMessages[0])}`);
};

const failures = results.flatMap(({ testResults = [] }) =>
  testResults.filter(({ status }) => status === 'failed').flatMap(failuresOf),
);
if (failures.length === 0 && exitStatus !== '0') failures.push(`exit status ${exitStatus} of ${command}`);
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${sum(results.map(({ numPassedTests }) => numPassedTests))} passed, ${failures.length} failed`);
