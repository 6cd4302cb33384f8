/**
 * The CDK app: `npx cdk deploy --all -c stage=dev` deploys a stage, `npx cdk synth -c stage=all` checks all of them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addStages, serviceApp, unbound } from './app.ts';
import { projectBundles } from './bundles.ts';
import { packageSite } from './dashboard/package-site.ts';
import { notices, omissions } from './omissions.ts';
import { readStages } from './stages.ts';

/** The CDK copies the package from here, where no other synthesis replaces it. */
const site = mkdtempSync(join(tmpdir(), 'site-'));
try {
  const app = serviceApp();
  const context = (name: string): unknown => app.node.tryGetContext(name);
  const stages = readStages({ stage: context('stage'), stages: context('stages') });
  for (const sentence of stages.flatMap(notices)) process.stderr.write(`Note: ${sentence}\n`);
  // All stages are synthesized only to check them.
  const isCheck = context('stage') === 'all';
  const missing = stages.flatMap(omissions);
  if (missing.length > 0 && !isCheck) throw new Error(missing.join('\n'));
  for (const sentence of missing) process.stderr.write(`Before it can be deployed: ${sentence}\n`);
  const bundles = await projectBundles();
  await packageSite(site, !isCheck && stages.some(({ dashboard }) => dashboard));
  addStages(app, isCheck ? stages.map(unbound) : stages, { bundles, site });
  app.synth();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(site, { recursive: true });
}
