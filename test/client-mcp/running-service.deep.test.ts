/** The packed MCP server, started by the SDK's own client over standard input and output, with the running service. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, expect, test } from 'vitest';
import contract from '../../client-mcp/contract.json' with { type: 'json' };
import { buildClients } from '../../infra/local/clients/build-clients.ts';
import { builtFolder } from '../../shared/platform/built-folder.ts';
import { testService } from '../support/test-service.ts';

const execute = promisify(execFile);

const host = await testService();
host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });

/** Unpacks the packed server where it finds the SDK, as after `npm install`, but nothing else of this project. */
async function unpackedServer(): Promise<{ readonly directory: string; readonly bin: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'client-mcp-'));
  await buildClients();
  await execute('tar', ['-xzf', join(builtFolder('clients'), 'mcp.tgz'), '-C', directory]);
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(resolve('node_modules/@modelcontextprotocol'), join(directory, 'node_modules/@modelcontextprotocol'));
  const manifest = JSON.parse(readFileSync(join(directory, 'package/package.json'), 'utf8')) as {
    bin: Readonly<Record<string, string>>;
  };
  return { directory, bin: join(directory, 'package', manifest.bin['generation-service-mcp'] ?? '') };
}

const { directory, bin } = await unpackedServer();
afterAll(async () => {
  await host.close();
  rmSync(directory, { recursive: true, force: true });
});

interface Agent extends AsyncDisposable {
  readonly client: Client;
  /** The result of a tool: what it returned, or the text of its error. */
  readonly use: (name: string, args?: Record<string, unknown>) => Promise<Record<string, unknown> | string>;
}

async function agent(token: string, flags: readonly string[]): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const env = { API_URL: host.url, API_TOKEN: token };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [bin, ...flags], env }));
  return {
    client,
    use: async (name, args = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const [part] = content;
      const text = part?.type === 'text' ? part.text : '';
      expect(text).not.toContain(token);
      return isError === true ? text : (JSON.parse(text) as Record<string, unknown>);
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const sentence = (text: string) => ({ operation: 'generateVoice', input: { text, voice: 'bill' } });
const isStarted = (result: Record<string, unknown> | string): boolean => typeof result === 'object';

test('an MCP SDK client finds the server’s few tools and generates speech with them', async () => {
  const { token } = await host.account({ credits: 100 });
  await using server = await agent(token, ['--max-credits', '10']);
  const { tools } = await server.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['describe', 'quote', 'generate', 'wait', 'list', 'balance']);
  const writers = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
  expect(writers.map(({ name }) => name)).toEqual(['generate']);

  const described = await server.use('describe', { operation: 'generateVoice' });
  expect(described).toEqual({ operation: 'generateVoice', ...contract.generations.generateVoice });
  const quoted = await server.use('quote', sentence('Olá!'));
  expect(quoted).toEqual({ cost: 1, balance: 100, isWithinLimit: true });
  const started = await server.use('generate', sentence('Olá!'));
  expect(started).toMatchObject({ status: 'queued', creditsUsed: 1, creditsLeft: 9 });
  const { taskId } = started as { taskId: string };
  const waited = await server.use('wait', { taskIds: [taskId] });
  expect(waited).toMatchObject({ hasEnded: true, tasks: [{ id: taskId, status: 'completed' }] });
  expect(await server.use('list', { status: 'completed' })).toMatchObject({ tasks: [{ id: taskId }] });
  expect(await server.use('balance')).toEqual({ balance: 99, spending: { maxCredits: 10, used: 1, left: 9 } });
});

test('generations started at once spend the whole limit and no more, and each refusal says how much of the limit is left', async () => {
  const account = await host.account({ credits: 100 });
  await using server = await agent(account.token, ['--max-credits', '5']);
  const results = await Promise.all(
    Array.from({ length: 9 }, (_, index) => server.use('generate', sentence(`Frase ${index}.`))),
  );
  expect(results.filter(isStarted)).toHaveLength(5);
  const refusal = 'This costs 1 credits, but only 0 of the 5 credits that this server may spend are left.';
  expect(results.filter((result) => !isStarted(result))).toEqual(Array(4).fill(refusal));
  expect(await host.standing(account.accountId)).toEqual({ balance: 95, tasks: 5 });
  expect(await server.use('quote', sentence('Olá!'))).toMatchObject({ isWithinLimit: false });
});

test('a generation above the limit for a single one is refused, and rejected generations leave the limit unchanged', async () => {
  const account = await host.account({ credits: 100 });
  await using server = await agent(account.token, ['--max-credits', '50', '--max-credits-per-call', '2']);
  expect(await server.use('generate', sentence('a'.repeat(150)))).toContain('one generation may cost at most 2');
  expect(await server.use('generate', { operation: 'generateVoice', input: {} })).toMatch(
    /^VALIDATION_ERROR, request .*text is required/,
  );
  expect(await server.use('generate', { operation: 'deleteEverything', input: {} })).toContain('operation');
  expect(await server.use('balance')).toMatchObject({ balance: 100, spending: { used: 0, left: 50 } });
});

test('waiting for tasks reports progress, and ends at its timeout with the tasks as they are', async () => {
  const { token } = await host.account({ credits: 100 });
  await using server = await agent(token, ['--max-credits', '5']);
  host.engine.play({});
  const { taskId } = (await server.use('generate', sentence('Devagar.'))) as { taskId: string };
  const messages: unknown[] = [];
  const { content } = await server.client.callTool(
    { name: 'wait', arguments: { taskIds: [taskId], timeoutSeconds: 1 } },
    { onprogress: ({ message }) => messages.push(message) },
  );
  const [part] = content;
  const waited = JSON.parse(part?.type === 'text' ? part.text : '') as { tasks: readonly { status: string }[] };
  expect(waited).toMatchObject({ hasEnded: false, tasks: [{ id: taskId }] });
  expect(messages).toContain('0 of 1 tasks have ended');
  expect(await server.use('wait', { taskIds: [`${taskId.slice(0, -6)}000000`] })).toContain('NOT_FOUND');
});

test('without a spending limit, the MCP server does not start, and says which setting is missing', async () => {
  const env = { API_URL: host.url, API_TOKEN: 'av_secret' };
  const failure = await execute(process.execPath, [bin], { env }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--max-credits') });
  expect((failure as { stderr: string }).stderr).not.toContain('av_secret');
});
