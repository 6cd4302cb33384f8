/**
 * Clients that third-party generators create from the document: they compile under strict settings, and call the
 * running service.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { listen } from '../../fakes/listen.ts';
import { nodePackages } from '../../infra/toolchain/node-packages.ts';
import { pythonEnvironment } from '../../infra/toolchain/python-environment.ts';
import { errorBody, successBody } from '../../shared/contracts/envelope.ts';
import { registry } from '../../shared/contracts/registry.ts';
import { published } from '../support/openapi-document.ts';
import { testService } from '../support/test-service.ts';

const timeoutMs = 300_000;
const execute = promisify(execFile);
const programs = join(import.meta.dirname, 'generated');

/** Responses that a later version of the service may send: types, statuses, codes and properties that are new. */
const bodyOfTomorrow = (path: string): { readonly status: number; readonly body: string } => {
  const task = registry.getTask.example.data;
  const order = { ...registry.listOrders.example.data.orders[0], type: 'gift', status: 'wrapped', currency: 'EUR' };
  if (path.startsWith('/api/v1/tasks/')) {
    const error = { code: 'OUT_OF_TUNE', message: 'new', hint: 'new' };
    return { status: 200, body: successBody({ ...task, taskType: 'music', status: 'paused', error, mood: 'new' }) };
  }
  if (path.startsWith('/api/v1/orders')) {
    return { status: 200, body: successBody({ orders: [{ ...order, more: {} }], limit: 20, offset: 0, total: 1 }) };
  }
  return { status: 403, body: errorBody('TOKEN_ASLEEP' as 'FORBIDDEN', 'new') };
};

const serviceOfTomorrow = createServer((request, response) => {
  const { status, body } = bodyOfTomorrow(request.url ?? '');
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(body);
});

const urlOfTomorrow = `http://127.0.0.1:${await listen(serviceOfTomorrow, 0)}`;
const host = await testService();
host.engine.play({});
const { token } = await host.account();
const directory = mkdtempSync(join(tmpdir(), 'generated-clients-'));
cpSync(programs, directory, { recursive: true });
writeFileSync(join(directory, 'package.json'), JSON.stringify({ type: 'module' }));
const document = join(directory, 'openapi.json');
writeFileSync(document, JSON.stringify(published({ serverUrl: host.url })));
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  serviceOfTomorrow.close();
  await host.close();
});

/** Runs a program. @throws {Error} with everything that the program wrote */
async function run(program: string, args: readonly string[], environment: Record<string, string> = {}) {
  const options = { cwd: directory, env: { ...process.env, ...environment } };
  return execute(program, args, options).catch((error: { readonly stdout: string; readonly stderr: string }) => {
    throw new Error(`${program} failed:\n${error.stdout}${error.stderr}`);
  });
}

const printed = {
  taskType: 'voice',
  credits: 1,
  hasResult: false,
  spoken: 'Oi.',
  tomorrow: ['music', 'paused', 'OUT_OF_TUNE', 'gift', 'TOKEN_ASLEEP'],
};

const strict = {
  strict: true,
  noUncheckedIndexedAccess: true,
  // Skips only the declaration files of Node and the language; generated code is checked.
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

test('openapi-typescript generates types that need no options, compile in strict mode and accept responses of later versions', {
  timeout: timeoutMs,
}, async () => {
  const packages = await nodePackages('client-generators');
  const generator = join(packages, 'node_modules/openapi-typescript/bin/cli.js');
  await run(process.execPath, [generator, document, '--output', 'api.ts']);
  const exact = { exactOptionalPropertyTypes: true, allowImportingTsExtensions: true, verbatimModuleSyntax: true };
  const program = 'openapi-typescript-program.ts';
  await compile(program, { ...exact, module: 'nodenext' });
  const { stdout } = await run(process.execPath, [program, host.url, token, urlOfTomorrow]);
  expect(JSON.parse(stdout)).toEqual(printed);
});

test('@hey-api/openapi-ts generates functions that compile in strict mode, create a task and read responses of later versions', {
  timeout: timeoutMs,
}, async () => {
  const packages = await nodePackages('client-generators');
  const generator = join(packages, 'node_modules/@hey-api/openapi-ts/bin/run.js');
  await run(process.execPath, [generator, '--input', document, '--output', 'hey', '--no-log-file']);
  const program = 'hey-api-program.ts';
  await compile(program, { module: 'esnext', moduleResolution: 'bundler' });
  const outfile = join(directory, 'hey-api-program.mjs');
  await build({ entryPoints: [join(directory, program)], outfile, bundle: true, platform: 'node', format: 'esm' });
  const { stdout } = await run(process.execPath, [outfile, host.url, token, urlOfTomorrow]);
  expect(JSON.parse(stdout)).toEqual(printed);
});

test('openapi-python-client generates a package that passes mypy --strict, creates a task and reads responses of later versions', {
  timeout: timeoutMs,
}, async () => {
  const python = await pythonEnvironment('clients');
  const variables = { ...python.variables, PATH: `${join(python.directory, 'bin')}:${process.env.PATH}` };
  const generated = ['--output-path', 'generation_service', '--meta', 'none'];
  await run(python.program('openapi-python-client'), ['generate', '--path', document, ...generated], variables);
  expect(readdirSync(join(directory, 'generation_service', 'api', 'generation'))).toContain('generate_voice.py');
  const models = readFileSync(join(directory, 'generation_service', 'models', '__init__.py'), 'utf8');
  const names = [...models.matchAll(/^ {4}"(\w+)",$/gm)].map(([, name = '']) => name);
  // After reviewing new or removed names, run: `npm run test:deep -- test/contracts/generated-clients.deep.test.ts -u`.
  await expect(`${names.toSorted((one, other) => (one < other ? -1 : 1)).join('\n')}\n`).toMatchFileSnapshot(
    'generated/type-names.txt',
  );
  await run(
    python.program('mypy'),
    ['--config-file', 'mypy.ini', 'python_program.py', 'generation_service'],
    variables,
  );
  const { stdout } = await run(
    python.program('python'),
    ['python_program.py', host.url, token, urlOfTomorrow],
    variables,
  );
  expect(JSON.parse(stdout)).toEqual(printed);
});
