/** The programs of the guides, run as their readers run them, against the local service. */
import { execFile, spawn } from 'node:child_process';
import { cpSync, globSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { installClient } from '../client/installed-client.ts';
import { installPythonClient } from '../client-python/installed-python-client.ts';
import { eventually } from '../support/eventually.ts';
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
// The clients are installed as the quickstart says.
const python = await installPythonClient(wheelUrl);
const client = await installClient(`${service.url}/clients/typescript.tgz`);
for (const file of globSync('*.ts', { cwd: folder })) cpSync(join(folder, file), join(client.directory, file));
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

type Program = (...args: readonly string[]) => Promise<string>;

const shell =
  (file: string): Program =>
  async (...args) =>
    (await execute('sh', [join(folder, file), ...args], { env: { ...process.env, ...variables() } })).stdout;

const pythonProgram =
  (file: string, port?: number): Program =>
  (...args) =>
    python.run('python', [join(folder, file), ...args], variables(port));

const nodeProgram =
  (file: string, port?: number): Program =>
  async (...args) => {
    const env = { ...process.env, ...variables(port) };
    return (await execute(process.execPath, [join(client.directory, file), ...args], { env })).stdout;
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

  test('prints why a sentence could not be spoken, and that its credits were refunded', async () => {
    expect(await run('[offline:fail] "Olá!" \\o/')).toBe('failed: PROVIDER_ERROR, credits refunded: 1\n');
  });
});

/** Waits if the programs, which share a token, have used up its requests of the minute. */
const ask = async <Data>(method: string, path: string, body?: object): Promise<Data> => {
  const headers = { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${service.url}/api/v1/${path}`, { method, headers, body: JSON.stringify(body) });
  if (response.status === 429) {
    await sleep(1000 * Number(response.headers.get('retry-after')));
    return ask(method, path, body);
  }
  return ((await response.json()) as { readonly data: Data }).data;
};

const speak = (text: string, callbackUrl: string) =>
  ask<{ readonly taskId: string }>('POST', 'generate/voice', { text, voice: 'sarah', callbackUrl });

const delivered = (taskId: string) =>
  eventually(
    'the delivery of the webhook',
    async () => {
      const { webhook } = await ask<{ readonly webhook: { readonly status: string } }>('GET', `tasks/${taskId}`);
      return webhook.status === 'delivered' || undefined;
    },
    // The programs share the rate limit of the token.
    { everyMs: 500 },
  );

const webhookPrograms = [
  ['webhook.ts', process.execPath, join(client.directory, 'webhook.ts')],
  ['webhook.py', python.program, join(folder, 'webhook.py')],
] as const;

describe.each(webhookPrograms)('the program %s of the quickstart', (_file, program, file) => {
  const environment = async (further: Readonly<Record<string, string>>) => ({
    ...process.env,
    ...python.variables,
    ...variables(await freePort()),
    PYTHONUNBUFFERED: '1',
    ...further,
  });
  const failure = async (further: Readonly<Record<string, string>>) => {
    const env = await environment(further);
    const failed = execute(program, [file], { env }).then(() => undefined);
    return (await failed.catch((error: unknown) => error)) as { readonly stdout: string; readonly stderr: string };
  };

  test('asks for a webhook token if it has none', async () => {
    expect((await failure({ WEBHOOK_TOKEN: '' })).stderr).toContain('Set WEBHOOK_TOKEN');
  });

  test('prints the task’s status and ends if no acceptable webhook arrives in time', async () => {
    const { stdout, stderr } = await failure({ WEBHOOK_TOKEN: 'whk_wrong', WAIT_SECONDS: '2' });
    expect(stdout).not.toContain('completed');
    expect(stderr).toMatch(/no webhook arrived in 2 s: the task is \w+\n/);
  });

  test('continues to wait when a webhook about another task arrives', async () => {
    const env = await environment({ WAIT_SECONDS: '600' });
    const running = spawn(program, [file, '[offline:hang] Olá!'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void running.kill());
    let output = '';
    running.stdout.on('data', (chunk) => (output += chunk));
    // The program must reject this request, which is not a webhook of the service.
    const isListening = () => fetch(env.CALLBACK_URL).then(Boolean, () => undefined);
    await eventually('the port of the program', isListening);
    const { taskId } = await speak('Olá!', env.CALLBACK_URL);
    await delivered(taskId);
    expect(output).not.toContain('completed');
    expect(running.exitCode).toBeNull();
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

test.each([
  ['many.ts', nodeProgram('many.ts')],
  ['many.py', pythonProgram('many.py')],
])('the program %s prints the outcome of each sentence, in order', async (_file, run) => {
  const lines = (await run('Bom dia!', '[offline:fail] Boa tarde!', 'Boa noite!')).trim().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^Bom dia! completed: http/),
    '[offline:fail] Boa tarde! failed: PROVIDER_ERROR',
    expect.stringMatching(/^Boa noite! completed: http/),
  ]);
});

test.each([
  ['upload.ts', nodeProgram('upload.ts')],
  ['upload.py', pythonProgram('upload.py')],
])('the program %s uploads a picture, removes its background, and prints the URL of the result', async (_file, run) => {
  const [, url = ''] = /^completed: (\S+)\n$/.exec(await run(resolve('site/media/rocket.webp'))) ?? [];
  expect((await fetch(url)).headers.get('content-type')).toBe('image/png');
});

test.each([
  ['receive.ts', process.execPath, join(client.directory, 'receive.ts')],
  ['receive.py', python.program, join(folder, 'receive.py')],
])('the program %s prints what it rejects, and prints each event only once', async (_file, program, file) => {
  const port = await freePort();
  const env = { ...process.env, ...python.variables, ...variables(), PORT: String(port) };
  const receiver = spawn(program, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void receiver.kill());
  const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]();
  const nextLine = async () => (await lines.next()).value;
  expect(await nextLine()).toBe(`listening on port ${port}`);
  await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
  expect(await nextLine()).toBe('rejected: header missing or malformed');

  const { taskId } = await speak('Olá!', `http://127.0.0.1:${port}/`);
  expect(await nextLine()).toMatch(new RegExp(`^${taskId} completed: http`));
  await delivered(taskId);
  expect(await ask('POST', `tasks/${taskId}/redeliver`)).toMatchObject({ status: 'pending' });
  await delivered(taskId);
  const failing = await speak('[offline:fail] Olá!', `http://127.0.0.1:${port}/`);
  expect(await nextLine()).toBe(`${failing.taskId} failed: PROVIDER_ERROR`);
});

test('every TypeScript sample of the documentation compiles with the client installed', async () => {
  const site = await builtSite();
  const samples = [...site].flatMap(([file, text]) =>
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
