/** The programs of the quickstart, run as their readers run them, against the local service. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { installClient } from '../client/installed-client.ts';
import { installPythonClient } from '../client-python/installed-python-client.ts';
import { freePort } from '../support/free-port.ts';
import { startedService } from '../support/started-service.ts';
import { builtSite } from './built-site.ts';

const execute = promisify(execFile);
const folder = join(process.cwd(), 'site', 'programs');

const service = await startedService({ PORT: '0' }, ['--memory']);
const { packages } = (await (await fetch(`${service.url}/clients`)).json()) as {
  readonly packages: readonly { readonly url: string }[];
};
const wheelUrl = packages.find(({ url }) => url.endsWith('.whl'))?.url;
// As the quickstart says.
const python = await installPythonClient(wheelUrl);
const client = await installClient(`${service.url}/clients/typescript.tgz`);
for (const file of ['wait.ts', 'webhook.ts']) cpSync(join(folder, file), join(client.directory, file));
afterAll(async () => {
  client.remove();
  await service.end('SIGTERM');
  python.remove();
});

/** Each program has a port of its own for its webhook. */
const variables = (port = 4000) => ({
  API_URL: service.url,
  API_TOKEN: service.token,
  WEBHOOK_TOKEN: service.webhookToken,
  CALLBACK_URL: `http://127.0.0.1:${port}/`,
});

type Program = (text?: string) => Promise<string>;

const shell =
  (file: string): Program =>
  async (text) => {
    const args = [join(folder, file), ...(text === undefined ? [] : [text])];
    return (await execute('sh', args, { env: { ...process.env, ...variables() } })).stdout;
  };

const pythonProgram =
  (file: string, port?: number): Program =>
  (text) =>
    python.run('python', [join(folder, file), ...(text === undefined ? [] : [text])], variables(port));

const nodeProgram =
  (file: string, port?: number): Program =>
  async (text) => {
    const args = [join(client.directory, file), ...(text === undefined ? [] : [text])];
    return (await execute(process.execPath, args, { env: { ...process.env, ...variables(port) } })).stdout;
  };

const programs: readonly (readonly [file: string, run: Program])[] = [
  ['wait.sh', shell('wait.sh')],
  ['wait.ts', nodeProgram('wait.ts')],
  ['wait.py', pythonProgram('wait.py')],
  ['webhook.ts', nodeProgram('webhook.ts', await freePort())],
  ['webhook.py', pythonProgram('webhook.py', await freePort())],
];

describe.each(programs)('the program %s of the quickstart', (_file, run) => {
  test('speaks a sentence, and prints where the recording is', async () => {
    const [, url = ''] = /^completed: (\S+)\n$/.exec(await run()) ?? [];
    const recording = await fetch(url);
    expect([recording.status, recording.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
  });

  test('prints why a sentence could not be spoken, and that it was refunded', async () => {
    expect(await run('[offline:fail] Olá!')).toBe('failed: PROVIDER_ERROR, credits refunded: 1\n');
  });
});

test('the program wait.sh of the quickstart prints why a request was rejected', async () => {
  const env = { ...process.env, ...variables(), API_TOKEN: 'av_wrong' };
  const failure = (await execute('sh', [join(folder, 'wait.sh')], { env }).catch((error: unknown) => error)) as {
    readonly code: number;
    readonly stdout: string;
  };
  expect(failure.code).toBe(1);
  expect(failure.stdout).toContain('"code":"UNAUTHORIZED"');
});

test('every TypeScript sample of the documentation compiles with the client installed', async () => {
  const site = await builtSite();
  site.remove();
  const samples = [...site.files].flatMap(([file, text]) =>
    /^(?!pt[./]).*\.md$/.test(file)
      ? [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
          ([, code = '']) => [file.replaceAll(/\W/g, '-'), code] as const,
        )
      : [],
  );
  expect(samples.length).toBeGreaterThan(45);
  const project = join(client.directory, 'samples');
  mkdirSync(project);
  for (const [index, [name, code]] of samples.entries()) {
    writeFileSync(join(project, `${name}-${index}.ts`), `${code}\nexport {};\n`);
  }
  symlinkSync(resolve('node_modules/@types'), join(project, 'types'));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.asynciterable'],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    typeRoots: ['types'],
    types: ['node'],
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const tsc = execute(join('node_modules', '.bin', 'tsc'), ['--project', project]);
  expect(await tsc.catch(({ stdout }: { readonly stdout: string }) => ({ stdout }))).toMatchObject({ stdout: '' });
});
