/** Clients that others generate from the document: they compile under strict settings, and call the running service. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodePackages } from '../../infra/toolchain/node-packages.ts';
import { pythonEnvironment } from '../../infra/toolchain/python-environment.ts';
import { published } from '../support/openapi-document.ts';
import { type TestService, testService } from '../support/test-service.ts';

const timeoutMs = 300_000;
const execute = promisify(execFile);
const programs = join(import.meta.dirname, 'generated');

let host: TestService;
let directory: string;
let document: string;
let token: string;

beforeAll(async () => {
  host = await testService();
  host.engine.play({});
  ({ token } = await host.account());
  directory = mkdtempSync(join(tmpdir(), 'generated-clients-'));
  cpSync(programs, directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ type: 'module' }));
  document = join(directory, 'openapi.json');
  writeFileSync(document, JSON.stringify(published({ serverUrl: host.url })));
});
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await host.close();
});

/** @throws {Error} with everything that the program wrote. */
async function run(program: string, args: readonly string[], environment: Record<string, string> = {}) {
  const options = { cwd: directory, env: { ...process.env, ...environment } };
  return execute(program, args, options).catch((error: { readonly stdout: string; readonly stderr: string }) => {
    throw new Error(`${program} failed:\n${error.stdout}${error.stderr}`);
  });
}

const printed = { taskType: 'voice', credits: 1, hasResult: false };

const strict = {
  strict: true,
  noUncheckedIndexedAccess: true,
  // What is generated is no declaration file: those of Node and the language are not the document's.
  skipLibCheck: true,
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: ['node'],
  typeRoots: [join(process.cwd(), 'node_modules', '@types')],
  noEmit: true,
};

async function compile(program: string, options: object): Promise<void> {
  const project = join(directory, `${program}.tsconfig.json`);
  writeFileSync(project, JSON.stringify({ compilerOptions: { ...strict, ...options }, files: [program] }));
  await run(join(process.cwd(), 'node_modules', '.bin', 'tsc'), ['--project', project]);
}

test('openapi-typescript: its types need no options and compile as strictly as TypeScript can', {
  timeout: timeoutMs,
}, async () => {
  const packages = await nodePackages('client-generators');
  const generator = join(packages, 'node_modules/openapi-typescript/bin/cli.js');
  await run(process.execPath, [generator, document, '--output', 'api.ts']);
  const exact = { exactOptionalPropertyTypes: true, allowImportingTsExtensions: true, verbatimModuleSyntax: true };
  const program = 'openapi-typescript-program.ts';
  await compile(program, { ...exact, module: 'nodenext' });
  const { stdout } = await run(process.execPath, [program, host.url, token]);
  expect(JSON.parse(stdout)).toEqual(printed);
});

test('@hey-api/openapi-ts: its functions compile strictly and create a task', { timeout: timeoutMs }, async () => {
  const packages = await nodePackages('client-generators');
  const generator = join(packages, 'node_modules/@hey-api/openapi-ts/bin/run.js');
  await run(process.execPath, [generator, '--input', document, '--output', 'hey', '--no-log-file']);
  const program = 'hey-api-program.ts';
  await compile(program, { module: 'esnext', moduleResolution: 'bundler' });
  const outfile = join(directory, 'hey-api-program.mjs');
  await build({ entryPoints: [join(directory, program)], outfile, bundle: true, platform: 'node', format: 'esm' });
  const { stdout } = await run(process.execPath, [outfile, host.url, token]);
  expect(JSON.parse(stdout)).toEqual(printed);
});

test('openapi-python-client: its package passes mypy --strict and creates a task', { timeout: timeoutMs }, async () => {
  const python = await pythonEnvironment('client-generator');
  const variables = { ...python.variables, PATH: `${join(python.directory, 'bin')}:${process.env.PATH}` };
  const generated = ['--output-path', 'generation_service', '--meta', 'none'];
  await run(python.program('openapi-python-client'), ['generate', '--path', document, ...generated], variables);
  expect(readdirSync(join(directory, 'generation_service', 'api', 'generation'))).toContain('generate_voice.py');
  await run(
    python.program('mypy'),
    ['--config-file', 'mypy.ini', 'python_program.py', 'generation_service'],
    variables,
  );
  const { stdout } = await run(python.program('python'), ['python_program.py', host.url, token], variables);
  expect(JSON.parse(stdout)).toEqual(printed);
});
