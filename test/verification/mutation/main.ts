/**
 * `npm run mutation [-- <glob of files> [<glob of tests>]]`: plants small bugs in the product, one at a time, of which
 * the tests must detect nine in ten.
 */
import { rmSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { startDatabase } from '../../../infra/local/database/database.ts';

// Left over from an interrupted run.
rmSync('build/mutation/sandbox', { recursive: true, force: true });
// One database for all mutants: one that never ends cannot close what it has opened.
const database = await startDatabase({});
process.env.DYNAMODB_ENDPOINT = database.url;
const [files, tests] = process.argv.slice(2);
if (tests) process.env.MUTATION_TESTS = tests;
try {
  // It sets the exit code.
  await new Stryker({
    configFile: 'test/verification/mutation/stryker.config.mjs',
    ...(files && { mutate: [files] }),
  }).runMutationTest();
} finally {
  await database.close();
}
