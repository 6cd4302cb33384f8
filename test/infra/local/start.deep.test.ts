/** `npm start` as users see it: its output, stopping, restarting, and errors at start. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { demoAccount } from '../../../infra/local/demo-account.ts';
import { startService } from '../../../infra/local/host.ts';
import { serviceOptions } from '../../../infra/local/options.ts';
import { eventually } from '../../support/eventually.ts';
import { failedStart, type StartedService, startedService } from '../../support/started-service.ts';
import { webhookReceiver } from '../../support/webhook-receiver.ts';

let current: StartedService | undefined;
const others: StartedService[] = [];

const start = (environment: Record<string, string> = {}, args: string[] = []) =>
  startedService({ PORT: '0', LOCAL_DATA_DIR: dataDir, ...environment }, args);

/** The service on the data directory. */
const running = async (): Promise<StartedService> => (current ??= await start({}, ['--timing']));

/** Ends the service and returns its exit code, once nothing of it is running any more. */
async function endWith(...signals: NodeJS.Signals[]): Promise<number | string> {
  const service = await running();
  current = undefined;
  for (const signal of signals.slice(1)) service.child.kill(signal);
  const code = await service.end(signals[0] ?? 'SIGTERM');
  await eventually('the end of the database', () => (databasesOn(dataDir).length === 0 ? true : undefined));
  await expect(fetch(service.url)).rejects.toThrow();
  return code;
}

/** Starting takes most of the time, so tests share started services. */
const dataDir = mkdtempSync(join(tmpdir(), 'generation-service-start-'));
mkdirSync(join(dataDir, 'database'), { mode: 0o755 });
afterEach(async () => {
  for (const service of others.splice(0)) await service.end('SIGTERM');
});
afterAll(async () => {
  await current?.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

type Caller = Pick<StartedService, 'url' | 'token'>;

const get = async ({ url, token }: Caller, path: string) => {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return (await response.json()) as { data: Record<string, never> & { status: string; balance: number } };
};

const speak = async (service: Caller, callbackUrl?: string) => {
  const response = await fetch(`${service.url}/api/v1/generate/voice`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Uma frase para ouvir.', voice: 'sarah', ...(callbackUrl && { callbackUrl }) }),
  });
  return ((await response.json()) as { data: { taskId: string } }).data.taskId;
};

const statusOf = async (service: Caller, taskId: string) => (await get(service, `/api/v1/tasks/${taskId}`)).data.status;

/** A token may make 60 requests a minute. */
const everyMs = 400;

const completed = (service: Caller, taskId: string) =>
  eventually('the completion', async () => ((await statusOf(service, taskId)) === 'completed' ? true : undefined), {
    everyMs,
  });

/** Database processes that work on a data directory. */
const databasesOn = (directory: string): string[] =>
  execFileSync('ps', ['-eo', 'args'])
    .toString()
    .split('\n')
    .filter((line) => line.includes('dynoxide') && line.includes(directory));

const balanceOf = async (service: Caller) => (await get(service, '/api/v1/credits')).data.balance;

/** The URLs of the pages on which a user pays, or writes to a connected page. */
const sandboxesOf = ({ output }: StartedService): (string | undefined)[] =>
  ['PIX sandbox', 'subscriptions', 'social sandbox'].map(
    (name) => new RegExp(`^ *${name} +(http\\S+)`, 'm').exec(output)?.[1],
  );

/** Returns the PIX code of the order. */
async function orderCredits({ url, token }: Caller): Promise<string> {
  const response = await fetch(`${url}/api/v1/credits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ packId: 'pack-100' }),
  });
  return ((await response.json()) as { data: { pix: { qrCode: string } } }).data.pix.qrCode;
}

test('a start prints the addresses of the sandbox pages, and each of them responds', async () => {
  const titles = sandboxesOf(await running()).map(async (url) => (await fetch(url ?? '')).text());
  expect(await Promise.all(titles)).toEqual([
    expect.stringContaining('<title>PIX sandbox</title>'),
    expect.stringContaining('<title>Subscriptions sandbox</title>'),
    expect.stringContaining('<title>Social network sandbox</title>'),
  ]);
});

test('a start prints its URL, a token that is stored in a private file, and a curl command that works when pasted', async () => {
  const service = await running();
  expect(service.output).toMatch(/^ready http:\/\/127\.0\.0\.1:\d+$/m);
  const file = join(dataDir, 'demo-account.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ token: service.token, webhookToken: service.webhookToken });
  expect(statSync(file).mode & 0o077).toBe(0);
  const [, command = ''] =
    /(API=\S+\n +export API_TOKEN=\S+\n[\s\S]*?\/generate\/voice[\s\S]*?}')\n/.exec(service.output) ?? [];
  const response = JSON.parse(execFileSync('bash', ['-c', command]).toString()) as { data: { taskId: string } };
  await completed(service, response.data.taskId);
  expect(await balanceOf(service)).toBe(999);
});

test('only the owner can read the service’s data, including folders of an earlier start', async () => {
  const service = await running();
  await completed(service, await speak(service));
  const readableByOthers = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter(
    (path) => (statSync(join(dataDir, path)).mode & 0o077) !== 0,
  );
  expect(readableByOthers).toEqual([]);
});

test('`--memory` stores nothing, leaves stored data and its account unchanged, and removes its own files', async () => {
  const kept = await running();
  const balance = await balanceOf(kept);
  const beside = await start({}, ['--memory']);
  others.push(beside);
  expect(beside.output).toContain('in memory, lost when the service stops');
  expect(beside.token).not.toBe(kept.token);
  await speak(beside);
  await beside.end('SIGTERM');
  expect(readdirSync(dataDir)).not.toContain('memory');
  const again = await start({}, ['--memory']);
  others.push(again);
  expect(again.token).not.toBe(beside.token);
  expect(await balanceOf(again)).toBe(1000);
  expect(await balanceOf(kept)).toBe(balance);
  const stored = JSON.parse(readFileSync(join(dataDir, 'demo-account.json'), 'utf8')) as { token: string };
  expect(stored.token).toBe(kept.token);
});

test('`--timing` prints the time until the service is ready, and its parts: Node, the database and the rest', async () => {
  const { output } = await running();
  const [node, database, own, loading, total] = [...output.matchAll(/ (\d+) ms\b/g)].map(([, ms]) => Number(ms));
  expect([node, database, own, loading, total]).not.toContain(0);
  // The tolerance is two, because each of the four numbers is rounded.
  expect(Math.abs(Number(node) + Number(database) + Number(own) - Number(total))).toBeLessThanOrEqual(2);
  expect(loading).toBeLessThan(Number(own));
});

test('a start on a data directory that another service uses names that service and exits with code 1', async () => {
  await running();
  const { code, output } = await failedStart({ PORT: '0', LOCAL_DATA_DIR: dataDir });
  expect(code).toBe(1);
  expect(output).toMatch(/^Another running service uses the data directory.*\n$/);
});

test('SIGTERM stops everything with exit code 0, and the next start keeps account, token, tasks and payments', async () => {
  const first = await running();
  const taskId = await speak(first);
  await completed(first, taskId);
  const balance = await balanceOf(first);
  const code = await orderCredits(first);
  expect(databasesOn(dataDir)).toHaveLength(1);
  expect(await endWith('SIGTERM')).toBe(0);
  const second = await running();
  expect(sandboxesOf(second)).toEqual(sandboxesOf(first));
  expect((await fetch(`${sandboxesOf(second)[0]}/pay?${new URLSearchParams({ code }).toString()}`)).url).toMatch(
    /\/payments\/\d+$/,
  );
  expect(second.token).toBe(first.token);
  expect(second.webhookToken).toBe(first.webhookToken);
  expect(await statusOf(second, taskId)).toBe('completed');
  expect(await balanceOf(second)).toBe(balance);
});

test('SIGINT stops everything with exit code 0', async () => {
  expect(await endWith('SIGINT')).toBe(0);
});

test('a start after kill -9 in the middle of a task resumes the task: one completion, one debit, one delivery', async () => {
  await current?.end('SIGTERM');
  const receiver = await webhookReceiver();
  // The job outlasts the first process; it is finished by the second, which has no such latency.
  const first = await start({ OFFLINE_ENGINE_LATENCY_MS: '600000' });
  others.push(first);
  const balance = await balanceOf(first);
  const taskId = await speak(first, receiver.url);
  await eventually('processing', async () => ((await statusOf(first, taskId)) === 'processing' ? true : undefined), {
    everyMs,
  });
  await first.end('SIGKILL');
  current = undefined;
  const second = await running();
  expect(databasesOn(dataDir)).toHaveLength(1);
  await completed(second, taskId);
  await eventually('the delivery', () => receiver.of(taskId)[0]);
  await sleep(500);
  expect(receiver.of(taskId)).toHaveLength(1);
  expect(await balanceOf(second)).toBe(balance - 1);
  await receiver.close();
});

test('Ctrl-C, which npm forwards a second time, still stops everything in order', async () => {
  expect(await endWith('SIGINT', 'SIGINT')).toBe(0);
});

test('a start on a port that is in use names the port and how to choose another', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { code, output } = await failedStart({ LOCAL_DATA_DIR: dataDir, PORT: String(port) });
  server.close();
  expect(code).toBe(1);
  expect(output.trim()).toBe(
    `Port ${port} is in use. Stop the program that uses it, or choose another port: PORT=${port + 1} npm start`,
  );
});

describe('with settings in the environment,', () => {
  const hosted = async (environment: Record<string, string>): Promise<Caller & { close(): Promise<void> }> => {
    const directory = mkdtempSync(join(tmpdir(), 'generation-service-settings-'));
    const options = serviceOptions(['--memory'], { PORT: '0', LOCAL_DATA_DIR: directory, ...environment });
    const onDatabaseExit = (reason: string) => {
      throw new Error(reason);
    };
    const remove = () => rmSync(directory, { recursive: true, force: true });
    try {
      const service = await startService({ ...options, onDatabaseExit });
      const { token } = await demoAccount(service.context, directory);
      return { url: service.url, token, close: () => service.close().finally(remove) };
    } catch (error) {
      remove();
      throw error;
    }
  };

  test('a database endpoint that does not respond ends the start with an error that says so', async () => {
    process.env.DYNAMODB_ENDPOINT = 'http://127.0.0.1:9';
    await expect(hosted({}).finally(() => delete process.env.DYNAMODB_ENDPOINT)).rejects.toThrow(
      'No DynamoDB responds at http://127.0.0.1:9: check DYNAMODB_ENDPOINT.',
    );
  });

  test.for([
    ['OFFLINE_ENGINE_FAILURE', 'reject', 'failed', 1000],
    ['OFFLINE_ENGINE_FAILURE', 'fail', 'failed', 1000],
    ['OFFLINE_ENGINE_COMPLETION', 'polling', 'completed', 999],
  ] as const)('%s=%s makes tasks end as %s and leave %i credits', async ([name, value, status, balance]) => {
    const service = await hosted({ [name]: value });
    const taskId = await speak(service);
    const isOver = async () => ['failed', 'completed'].includes(await statusOf(service, taskId)) || undefined;
    await eventually('the end', isOver, { everyMs });
    expect(await statusOf(service, taskId)).toBe(status);
    expect(await balanceOf(service)).toBe(balance);
    await service.close();
  });
});
