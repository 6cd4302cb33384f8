/** What the CDK runs: `npx cdk synth`, `npx cdk deploy -c stage=dev --all`. */
import { fileURLToPath } from 'node:url';
import { addStages, serviceApp } from './app.ts';
import { bundleFunctions } from './bundles.ts';
import { readStages } from './stages.ts';

try {
  const app = serviceApp();
  const context = (name: string): unknown => app.node.tryGetContext(name);
  const stages = readStages({ stage: context('stage'), stages: context('stages') });
  const bundles = await bundleFunctions(fileURLToPath(new URL('../../build/functions', import.meta.url)));
  addStages(app, stages, bundles);
  app.synth();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
