/** What the CDK runs: `npx cdk synth`, `npx cdk deploy -c stage=dev --all`. */
import { fileURLToPath } from 'node:url';
import { addStages, serviceApp } from './app.ts';
import { bundleFunctions } from './bundles.ts';
import { omissions, unmadeTypes } from './omissions.ts';
import { readStages } from './stages.ts';

try {
  const app = serviceApp();
  const context = (name: string): unknown => app.node.tryGetContext(name);
  const stages = readStages({ stage: context('stage'), stages: context('stages') });
  // Who names a stage wants to have it deployed; all of them are synthesized to see that they can be.
  const isToBeDeployed = context('stage') !== undefined;
  const unmade = isToBeDeployed ? stages.flatMap(unmadeTypes) : [];
  for (const sentence of unmade) process.stderr.write(`To be known: ${sentence}\n`);
  const missing = stages.flatMap(omissions);
  if (missing.length > 0 && isToBeDeployed) throw new Error(missing.join('\n'));
  for (const sentence of missing) process.stderr.write(`Not to be deployed yet: ${sentence}\n`);
  const bundles = await bundleFunctions(fileURLToPath(new URL('../../build/functions', import.meta.url)));
  addStages(app, stages, bundles);
  app.synth();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
