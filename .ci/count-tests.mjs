/** Adds up what the test runners wrote to a folder, and prints one line: "N passed, N failed". */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , folder] = process.argv;
const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
const results = files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
const sum = (member) => results.reduce((total, result) => total + result[member], 0);
console.log(`${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed`);
