/** `npm run fuzz`: checks the running service against its published contract with generated requests. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { contractFuzz } from './contract-fuzz.ts';

/** The log is off, because failures show in the responses. */
process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT';

const defaultCases = 1000;
const defaultSeed = 1;

function numberOf(variable: string, byDefault: number): number {
  const text = process.env[variable];
  if (text === undefined || text === '') return byDefault;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${variable} must be a whole number, and is "${text}".`);
  return Number(text);
}

async function main(): Promise<boolean> {
  const options = { cases: numberOf('FUZZ_CASES', defaultCases), seed: numberOf('FUZZ_SEED', defaultSeed) };
  const { problems, ...tally } = await contractFuzz(options);
  process.stdout.write(`${JSON.stringify({ ...tally, problems: problems.length })}\n`);
  // In the format of Vitest's results, so that CI counts the cases together with the tests, and names the problems.
  const assertionResults = problems.map((problem) => ({ status: 'failed', fullName: '', failureMessages: [problem] }));
  const status = problems.length === 0 ? 'passed' : 'failed';
  const results = {
    numPassedTests: tally.cases - problems.length,
    testResults: [{ name: import.meta.filename, status, assertionResults }],
  };
  mkdirSync('build/test-results', { recursive: true });
  writeFileSync('build/test-results/fuzz.json', JSON.stringify(results));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return problems.length === 0;
}

// Exits in an orderly way on a signal, because only that ends the tool and the database and removes the temporary
// folder.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
