/** `npm run check:templates`: runs cfn-lint on the templates that `cdk synth` wrote to build/cdk.out. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { pythonEnvironment } from '../../toolchain/python-environment.ts';
import { readStages } from '../stages.ts';
import { type StageTemplates, stagesToLint } from './stages-to-lint.ts';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const config = fileURLToPath(new URL('cfn-lint.yaml', import.meta.url));

function templatesOf(stage: string): readonly string[] {
  const paths = globSync(`build/cdk.out/GenerationService-${stage}-*.template.json`, { cwd: project });
  if (paths.length === 0)
    throw new Error(`There are no templates of ${stage} in build/cdk.out: run "npm run check:synth" first.`);
  return paths.sort();
}

const read = (path: string): StageTemplates['templates'][number] =>
  JSON.parse(readFileSync(join(project, path), 'utf8')) as StageTemplates['templates'][number];

async function main(): Promise<void> {
  const stages = readStages({ stage: 'all', stages: cdkJson.context.stages })
    .filter(({ emulatorUrl }) => emulatorUrl === undefined)
    .map(({ name: stage }) => ({ stage, paths: templatesOf(stage) }));
  const linted = stagesToLint(stages.map(({ stage, paths }) => ({ stage, templates: paths.map(read) })));
  process.stdout.write(
    `cfn-lint on the templates of ${linted.join(', ')}; the other stages of AWS have nothing more.\n`,
  );
  const templates = stages.filter(({ stage }) => linted.includes(stage)).flatMap(({ paths }) => paths);
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
