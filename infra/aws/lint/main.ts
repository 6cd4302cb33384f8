/** `npm run check:templates`: cfn-lint on the templates of prod that `cdk synth` left in build/cdk.out. */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pythonEnvironment } from '../../toolchain/python-environment.ts';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const config = fileURLToPath(new URL('cfn-lint.yaml', import.meta.url));

/** No other stage has a resource or a property that prod does not have, as a test of the templates shows. */
const pattern = 'build/cdk.out/*-prod-*.template.json';

async function main(): Promise<void> {
  const templates = globSync(pattern, { cwd: project }).sort();
  if (templates.length === 0)
    throw new Error('There are no templates in build/cdk.out: run "npm run check:synth" first.');
  const { program, variables } = await pythonEnvironment('cfn-lint');
  const { status } = spawnSync(program('cfn-lint'), ['--config-file', config, '--', ...templates], {
    cwd: project,
    env: { ...process.env, ...variables },
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
