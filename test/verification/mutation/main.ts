/**
 * `npm run mutation [-- <glob of files> [<glob of tests>]]`: mutation testing. Plants small bugs in the product, one at
 * a time; the tests must detect nine in ten.
 */
import { rmSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { startDatabase } from '../../../infra/local/database/database.ts';

// Files that an interrupted run has left.
rmSync('build/mutation/sandbox', { recursive: true, force: true });
// One database serves all mutants, because the process of a mutant that never ends cannot close a database of its own.
const database = await startDatabase({});
process.env.DYNAMODB_ENDPOINT = database.url;
const [files, tests] = process.argv.slice(2);
if (tests) process.env.MUTATION_TESTS = tests;
try {
  // The mutation test sets the exit code itself.
  await new Stryker({
    configFile: 'test/verification/mutation/stryker.config.mjs',
    ...(files && { mutate: [files] }),
  }).runMutationTest();
} finally {
  await database.close();
}
