/** `npm start` as users see it: its output, stopping, restarting, and errors at start. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { failedStart, type StartedService, startedService } from '../../support/started-service.ts';
import { webhookReceiver } from '../../support/webhook-receiver.ts';

let dataDir: string;
const running: StartedService[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'generation-service-start-'));
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

const start = async (environment: Record<string, string> = {}, args: string[] = []) => {
  const service = await startedService({ PORT: '0', LOCAL_DATA_DIR: dataDir, ...environment }, args);
  running.push(service);
  return service;
};

const get = async ({ url, token }: StartedService, path: string) => {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return (await response.json()) as { data: Record<string, never> & { status: string; balance: number } };
};

const speak = async (service: StartedService, callbackUrl?: string) => {
  const response = await fetch(`${service.url}/api/v1/generate/voice`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Uma frase para ouvir.', voice: 'sarah', ...(callbackUrl && { callbackUrl }) }),
  });
  return ((await response.json()) as { data: { taskId: string } }).data.taskId;
};

const statusOf = async (service: StartedService, taskId: string) =>
  (await get(service, `/api/v1/tasks/${taskId}`)).data.status;

/** A token may make 60 requests a minute. */
const everyMs = 400;

const completed = (service: StartedService, taskId: string) =>
  eventually('the completion', async () => ((await statusOf(service, taskId)) === 'completed' ? true : undefined), {
    everyMs,
  });

/** Database processes that work on a data directory. */
const databasesOn = (directory: string): string[] =>
  execFileSync('ps', ['-eo', 'args'])
    .toString()
    .split('\n')
    .filter((line) => line.includes('dynoxide') && line.includes(directory));

test('prints a URL, a token stored in a private file, and a curl command that works when pasted', async () => {
  const service = await start();
  expect(service.output).toMatch(/^ready http:\/\/127\.0\.0\.1:\d+$/m);
  const file = join(dataDir, 'demo-account.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ token: service.token, webhookToken: service.webhookToken });
  expect(statSync(file).mode & 0o077).toBe(0);
  const [, command = ''] = /(API=\S+\n +TOKEN=\S+\n[\s\S]*?\/generate\/voice[\s\S]*?}')\n/.exec(service.output) ?? [];
  const answer = JSON.parse(execFileSync('bash', ['-c', command]).toString()) as { data: { taskId: string } };
  await completed(service, answer.data.taskId);
  expect((await get(service, '/api/v1/credits')).data.balance).toBe(999);
});

test('only the owner can read its data, including folders of an earlier start', async () => {
  mkdirSync(join(dataDir, 'database'), { mode: 0o755 });
  const service = await start();
  await completed(service, await speak(service));
  const readableByOthers = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter(
    (path) => (statSync(join(dataDir, path)).mode & 0o077) !== 0,
  );
  expect(readableByOthers).toEqual([]);
});

test.for(['SIGINT', 'SIGTERM'] as const)(
  '%s stops everything with exit code 0, and leaves nothing running',
  async (signal) => {
    const service = await start();
    expect(databasesOn(dataDir)).toHaveLength(1);
    expect(await service.end(signal)).toBe(0);
    await eventually('the end of the database', () => (databasesOn(dataDir).length === 0 ? true : undefined));
    await expect(fetch(service.url)).rejects.toThrow();
  },
);

test('Ctrl-C, which npm forwards a second time, still stops everything in order', async () => {
  const service = await start();
  service.child.kill('SIGINT');
  service.child.kill('SIGINT');
  expect(await service.end('SIGINT')).toBe(0);
  await eventually('the end of the database', () => (databasesOn(dataDir).length === 0 ? true : undefined));
});

test('a second start keeps account, token and tasks', async () => {
  const first = await start();
  const taskId = await speak(first);
  await completed(first, taskId);
  await first.end('SIGTERM');
  const second = await start();
  expect(second.token).toBe(first.token);
  expect(second.webhookToken).toBe(first.webhookToken);
  expect(await statusOf(second, taskId)).toBe('completed');
  expect((await get(second, '/api/v1/credits')).data.balance).toBe(999);
});

test('a start after kill -9 in the middle of a task resumes it: one completion, one debit, one delivery', async () => {
  const receiver = await webhookReceiver();
  const first = await start({ OFFLINE_ENGINE_LATENCY_MS: '3000' });
  const taskId = await speak(first, receiver.url);
  await eventually('processing', async () => ((await statusOf(first, taskId)) === 'processing' ? true : undefined), {
    everyMs,
  });
  await first.end('SIGKILL');
  const second = await start();
  expect(databasesOn(dataDir)).toHaveLength(1);
  await completed(second, taskId);
  await eventually('the delivery', () => receiver.of(taskId)[0]);
  await sleep(500);
  expect(receiver.of(taskId)).toHaveLength(1);
  expect((await get(second, '/api/v1/credits')).data.balance).toBe(999);
  await receiver.close();
});

test('--memory stores nothing, leaves stored data and its account unchanged, and removes its own files', async () => {
  const kept = await start();
  const beside = await start({}, ['--memory']);
  expect(beside.output).toContain('in memory, lost when the service stops');
  expect(beside.token).not.toBe(kept.token);
  await speak(beside);
  await beside.end('SIGTERM');
  expect(readdirSync(dataDir)).not.toContain('memory');
  const again = await start({}, ['--memory']);
  expect(again.token).not.toBe(beside.token);
  expect((await get(again, '/api/v1/credits')).data.balance).toBe(1000);
  expect((await get(kept, '/api/v1/credits')).data.balance).toBe(1000);
  const stored = JSON.parse(readFileSync(join(dataDir, 'demo-account.json'), 'utf8')) as { token: string };
  expect(stored.token).toBe(kept.token);
});

describe('a start that fails', () => {
  const environment = () => ({ PORT: '0', LOCAL_DATA_DIR: dataDir });

  test('names the port in use and how to choose another', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, output } = await failedStart({ ...environment(), PORT: String(port) });
    server.close();
    expect(code).toBe(1);
    expect(output.trim()).toBe(
      `Port ${port} is in use. Stop the program that uses it, or choose another port: PORT=${port + 1} npm start`,
    );
  });

  test('says that another service uses the data directory', async () => {
    await start();
    const { code, output } = await failedStart(environment());
    expect(code).toBe(1);
    expect(output).toMatch(/^Another running service uses the data directory/);
  });

  test('names an invalid setting in one line', async () => {
    const { code, output } = await failedStart({ ...environment(), OFFLINE_ENGINE_COMPLETION: 'never' });
    expect(code).toBe(1);
    expect(output).toMatch(/^OFFLINE_ENGINE_COMPLETION must be one of callback, polling.*\n$/);
  });

  test('says that no database responds at the configured endpoint', async () => {
    const { code, output } = await failedStart({ ...environment(), DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' });
    expect(code).toBe(1);
    expect(output.trim()).toBe('No DynamoDB responds at http://127.0.0.1:9: check DYNAMODB_ENDPOINT.');
  });
});

describe('the simulated failures of the offline engine', () => {
  const endOf = (service: StartedService, taskId: string) =>
    eventually(
      'the end',
      async () => {
        const status = await statusOf(service, taskId);
        return status === 'failed' || status === 'completed' ? status : undefined;
      },
      { everyMs },
    );

  test.for(['reject', 'fail'])('%s ends in a failed, refunded task', async (failure) => {
    const service = await start({ OFFLINE_ENGINE_FAILURE: failure });
    const taskId = await speak(service);
    expect(await endOf(service, taskId)).toBe('failed');
    expect((await get(service, '/api/v1/credits')).data.balance).toBe(1000);
  });

  test('polling completes a task without any callback', async () => {
    const service = await start({ OFFLINE_ENGINE_COMPLETION: 'polling' });
    expect(await endOf(service, await speak(service))).toBe('completed');
  });
});
