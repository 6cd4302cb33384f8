/** `npm run mutation [-- <globs>]`: plants small bugs in the product, one at a time; the tests must detect nine in ten. */
import { rmSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { startDatabase } from '../../../infra/local/database/database.ts';

// Left over from an interrupted run.
rmSync('build/mutation/sandbox', { recursive: true, force: true });
// One database for all mutants: one that never ends cannot close what it has opened.
const database = await startDatabase({});
process.env.DYNAMODB_ENDPOINT = database.url;
const globs = process.argv.slice(2);
try {
  // It sets the exit code.
  await new Stryker({
    configFile: 'test/verification/mutation/stryker.config.mjs',
    ...(globs.length > 0 && { mutate: globs }),
  }).runMutationTest();
} finally {
  await database.close();
}
