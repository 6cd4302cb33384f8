/** The published client, packed, installed, and used by programs without this project and its packages. */
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeServer, listen } from '../../fakes/listen.ts';
import { mediaTypes } from '../../shared/contracts/media.ts';
import { clientTarball, type InstalledClient, installClient } from './installed-client.ts';

const execute = promisify(execFile);

let installed: InstalledClient;
let folder: string;

beforeAll(async () => {
  installed = await installClient();
  folder = join(installed.directory, 'node_modules', 'generation-service-client');
});
afterAll(() => installed.remove());

/** The bundle of a program that imports the package, as a bundler builds it for any runtime. */
async function bundled(program: string, format: 'esm' | 'iife' = 'esm'): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: installed.directory },
    bundle: true,
    minify: true,
    format,
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

describe('the packed client', () => {
  test('contains built code with types, its README and license, and no sources', async () => {
    const { stdout } = await execute('tar', ['-tzf', clientTarball]);
    const files = stdout.trim().split('\n').toSorted();
    const modules = globSync('*.ts', { cwd: 'client' })
      .filter((file) => !file.endsWith('.d.ts'))
      .flatMap((file) => ['d.ts', 'js'].map((type) => `package/dist/${file.replace(/ts$/, type)}`));
    expect(files).toEqual(
      [...modules, 'package/dist/cli.js', 'package/LICENSE', 'package/README.md', 'package/package.json'].toSorted(),
    );
  });

  test('depends on no other package, and imports only its own files when it is loaded', () => {
    expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies');
    const built = globSync(join(folder, 'dist', '!(cli.js)')).map((file) => readFileSync(file, 'utf8'));
    expect(built.length).toBeGreaterThan(20);
    expect(built.flatMap((code) => code.match(/from '(?!\.\/).*'|<reference .*>/g) ?? [])).toEqual([]);
  });

  test('contains a command that listens for webhooks', async () => {
    const command = join(installed.directory, 'node_modules', '.bin', 'generation-service');
    expect((await execute(command, ['--help'])).stdout).toContain('Usage: generation-service webhooks');
    await expect(execute(command, ['listen'])).rejects.toMatchObject({ code: 2 });
  });

  test('passes publint without a finding', async () => {
    const { messages, pkg } = await publint({ pkgDir: folder, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test('has at most 15 KB when minified, webhooks included, and 4 KB for webhooks alone', async () => {
    const size = async (program: string) => Buffer.byteLength(await bundled(program));
    const webhooks = "export * from 'generation-service-client/webhooks';";
    expect(await size(`export * from 'generation-service-client'; ${webhooks}`)).toBeLessThanOrEqual(15 * 1024);
    expect(await size(webhooks)).toBeLessThanOrEqual(4 * 1024);
  });

  test.each([
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ])('has types that TypeScript finds with the module resolution “%s”', async (moduleResolution, module) => {
    const lines = [
      "import { ApiError, client, type Task } from 'generation-service-client';",
      "import { verifyWebhook, webhookHandlers } from 'generation-service-client/webhooks';",
      "const api = client({ baseUrl: 'https://api.example.com', token: 't' });",
      "const { data } = await api.generateVoice({ body: { text: 'a', voice: 'sarah' } });",
      'const task: Task = await api.waitForTask(data.taskId);',
      "for await (const row of api.listTasks.each({ query: { status: 'failed' } })) console.log(row.error?.code);",
      "const cost: number = (await api.generateVoice.dryRun({ body: { text: 'a', voice: 'sarah' } })).data.cost;",
      "const batch = { items: [{ operation: 'generateVoice', body: { text: 'a', voice: 'sarah' } }] } as const;",
      'const [first] = (await api.generateBatch.dryRun({ body: { items: [...batch.items] } })).data.items;',
      "webhookHandlers({ baseUrl: '', webhookToken: '' }, (event) => (event.event === 'task.failed' ? event.error.code : event.resultUrl));",
      '// @ts-expect-error: the text is missing',
      "await api.generateVoice({ body: { voice: 'sarah' } });",
      '// @ts-expect-error: a plan is no list with pages',
      'api.listPlans.each();',
      'console.log(task.id, cost, first?.error?.code, ApiError, verifyWebhook);',
    ];
    const project = join(installed.directory, `types-${moduleResolution}`);
    mkdirSync(project);
    writeFileSync(join(project, 'program.ts'), lines.join('\n'));
    const lib = ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'];
    const compilerOptions = { strict: true, noEmit: true, target: 'es2022', lib, types: [], module, moduleResolution };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    const tsc = await execute(join('node_modules', '.bin', 'tsc'), ['--project', project]).catch(
      ({ stdout }: { stdout: string }) => ({ stdout }),
    );
    expect(tsc.stdout).toBe('');
  });

  test('runs in an environment that has only web-standard APIs, such as an edge runtime', async () => {
    const program = `
      import { client } from 'generation-service-client';
      import { verifyWebhook } from 'generation-service-client/webhooks';
      const api = client({ baseUrl: 'https://api.example.com', token: 'av_token' });
      globalThis.result = (async () => {
        const { data } = await api.generateVoice({ body: { text: 'a', voice: 'sarah' } });
        const task = await api.waitForTask(data.taskId);
        const { fileId } = await api.files.upload(new Blob(['hello'], { type: 'image/png' }));
        const upload = await api.files.upload('a.png').catch((error) => error.message);
        const verdict = await verifyWebhook({ body: '{}', headers: new Headers(), keys: [] });
        return JSON.stringify([task.status, fileId, upload, verdict.reason]);
      })();`;
    const answers: Readonly<Record<string, unknown>> = {
      '/api/v1/generate/voice': { taskId: 'task-1', status: 'queued' },
      '/api/v1/tasks/task-1': { id: 'task-1', status: 'completed' },
      '/api/v1/files': { fileId: 'file-1', url: 'u', upload: { method: 'POST', url: 'https://storage/', fields: {} } },
    };
    const fetch = async (input: URL | string) => {
      const data = answers[new URL(input).pathname];
      return data ? Response.json({ success: true, data }) : new Response('', { status: 200 });
    };
    const standard = { AbortController, AbortSignal, Blob, FormData, Headers, Response, TextDecoder, TextEncoder, URL };
    const context = createContext({ ...standard, atob, btoa, clearTimeout, console, crypto, fetch, setTimeout });
    runInContext(await bundled(program, 'iife'), context);
    expect(JSON.parse(await (runInContext('result', context) as Promise<string>))).toEqual([
      'completed',
      'file-1',
      'This runtime has no file system: pass a Blob or a stream.',
      'header missing or malformed',
    ]);
  });

  test('can be used by a separate program, and does not keep it running', async () => {
    const server = createServer((request, response) => {
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      response.end(JSON.stringify({ success: true, data: { status: `${request.method} ${request.url}` } }));
    });
    const url = `http://127.0.0.1:${await listen(server, 0)}`;
    const program = join(installed.directory, 'program.mjs');
    writeFileSync(
      program,
      `import { client } from 'generation-service-client';
       import { verifyWebhook } from 'generation-service-client/webhooks';
       const { data } = await client({ baseUrl: '${url}' }).getHealth();
       const { reason } = await verifyWebhook({ body: '{}', headers: {}, keys: [] });
       console.log(JSON.stringify([data.status, reason]));`,
    );
    const { stdout } = await execute(process.execPath, [program]);
    await closeServer(server);
    expect(JSON.parse(stdout)).toEqual(['GET /api/v1/health', 'header missing or malformed']);
  });
});

test('a client and its errors reveal neither the API token nor an idempotency key', async () => {
  const token = 'av_secret';
  const refuse = () => Promise.reject(new TypeError('fetch failed'));
  const api = installed.api.client({ baseUrl: 'http://127.0.0.1:1', token, maxRetries: 0, fetch: refuse });
  const [call] = await Promise.allSettled([
    api.generateVoice({ body: { text: 'a', voice: 'sarah' }, idempotencyKey: 'secret-key' }),
  ]);
  const shown = [api, call].map((one) => [inspect(one, { depth: 10, showHidden: true }), JSON.stringify(one)]);
  expect(shown.flat().join()).not.toMatch(/av_secret|secret-key/);
  expect(shown.flat().join()).toContain('ConnectionError');
});

test('the client derives the type of an upload from each file extension that the service knows', async () => {
  const types: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    types.push((JSON.parse(init?.body as string) as { contentType: string }).contentType);
    return Response.json({ success: false, error: { code: 'VALIDATION_ERROR', message: '' } }, { status: 400 });
  };
  const api = installed.api.client({ baseUrl: 'http://127.0.0.1:1', token: 'av_token', fetch });
  const extensions = [...new Set(Object.values(mediaTypes).map(({ extension }) => extension)), 'jpeg', 'JPG'];
  for (const extension of extensions) {
    const path = join(installed.directory, `file.${extension}`);
    writeFileSync(path, 'content');
    await expect(api.files.upload(path)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  }
  const known: Readonly<Record<string, { readonly extension: string }>> = mediaTypes;
  const found = types.map((type) => known[String(type)]?.extension);
  expect(found).toEqual([...extensions.slice(0, -2), 'jpg', 'jpg']);
});
