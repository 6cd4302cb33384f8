import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Database, startDatabase } from '../../../../infra/local/database/database.ts';
import { endOrphan, isDatabase, rememberedDatabase } from '../../../../infra/local/database/database-orphan.ts';

let dataDir: string;
const cleanUp: (() => unknown)[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'database-'));
});

afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
  await endOrphan(pidPath());
  rmSync(dataDir, { recursive: true, force: true });
});

const started = async (options: Parameters<typeof startDatabase>[0]): Promise<Database> => {
  const database = await startDatabase(options);
  cleanUp.push(() => database.close());
  return database;
};

const clientOf = ({ url }: Pick<Database, 'url'>): DynamoDBClient => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: url, region: 'us-east-1', credentials, maxAttempts: 1 });
  cleanUp.push(() => client.destroy());
  return client;
};

const createTable = new CreateTableCommand({
  TableName: 'things',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
});
const putItem = new PutItemCommand({ TableName: 'things', Item: { pk: { S: 'a' }, kept: { BOOL: true } } });
const getItem = new GetItemCommand({ TableName: 'things', Key: { pk: { S: 'a' } } });

const databasePath = (): string => join(dataDir, 'database.sqlite');
const pidPath = (): string => join(dataDir, 'database.pid');

const remembered = () => {
  const database = rememberedDatabase(pidPath());
  if (!database) throw new Error('no database is remembered');
  return database;
};

/** A separate process that starts the database, runs the given code and prints the URL. */
async function otherService(
  afterwards: string,
  { detached = false, inMemory = false }: { detached?: boolean; inMemory?: boolean } = {},
): Promise<ChildProcess> {
  const module = JSON.stringify(new URL('../../../../infra/local/database/database.ts', import.meta.url).href);
  const code = `
    const { startDatabase } = await import(${module});
    const database = await startDatabase(${JSON.stringify({ dataDir, inMemory })});
    setInterval(() => undefined, 1000);
    ${afterwards}
    process.stdout.write(database.url);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached,
  });
  cleanUp.push(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  return child;
}

it('the local database serves DynamoDB from memory without a directory', async () => {
  const client = clientOf(await started({}));
  await client.send(createTable);
  expect((await client.send(new ListTablesCommand({}))).TableNames).toStrictEqual(['things']);
});

it('the local database keeps its data when it is restarted in the same directory', async () => {
  const first = await started({ dataDir });
  const client = clientOf(first);
  await client.send(createTable);
  await client.send(putItem);
  const database = remembered();
  await first.close();
  expect(isDatabase(database)).toBe(false);
  expect(existsSync(pidPath())).toBe(false);

  const second = clientOf(await started({ dataDir }));
  expect((await second.send(getItem)).Item).toMatchObject({ kept: { BOOL: true } });
});

it('a restart of a killed service ends its old database process and keeps the data', async () => {
  const service = await otherService('');
  const [url] = await once(service.stdout ?? service, 'data');
  const client = clientOf({ url: String(url) });
  await client.send(createTable);
  await client.send(putItem);
  const orphan = remembered();
  service.kill('SIGKILL');
  await once(service, 'exit');
  expect(isDatabase(orphan)).toBe(true);

  const database = await started({ dataDir });
  expect(isDatabase(orphan)).toBe(false);
  expect(isDatabase(remembered())).toBe(true);
  expect((await clientOf(database).send(getItem)).Item).toMatchObject({ kept: { BOOL: true } });
});

it('a restart of a killed service ends its old in-memory database process', async () => {
  const service = await otherService('', { inMemory: true });
  await once(service.stdout ?? service, 'data');
  const orphan = remembered();
  service.kill('SIGKILL');
  await once(service, 'exit');
  expect(isDatabase(orphan)).toBe(true);
  await started({ dataDir, inMemory: true });
  expect(isDatabase(orphan)).toBe(false);
  expect(existsSync(databasePath())).toBe(false);
});

it.each([
  ['exits', 'process.exit(0);'],
  ['dies from an uncaught exception', 'setTimeout(() => { throw new Error("uncaught"); }, 1);'],
])('no database keeps running when the service %s', async (_how, code) => {
  const service = await otherService(`process.stdin.once('data', () => { ${code} });`);
  await once(service.stdout ?? service, 'data');
  const database = remembered();
  expect(isDatabase(database)).toBe(true);
  service.stdin?.write('now');
  await once(service, 'exit');
  await vi.waitFor(() => expect(isDatabase(database)).toBe(false), 120_000);
});

it('the local database ignores Ctrl-C, so that the service can close it last', async () => {
  const service = await otherService("process.on('SIGINT', () => process.stdout.write('asked to end'));", {
    detached: true,
  });
  const output = service.stdout ?? service;
  const [url] = await once(output, 'data');
  process.kill(-(service.pid ?? 0), 'SIGINT');
  expect(String(await once(output, 'data'))).toBe('asked to end');
  const client = clientOf({ url: String(url) });
  expect((await client.send(new ListTablesCommand({}))).TableNames).toStrictEqual([]);
});

it('the local database rejects a directory that a running service uses, and does not disturb that service’s database', async () => {
  const service = await otherService('');
  await once(service.stdout ?? service, 'data');
  const database = remembered();
  await expect(startDatabase({ dataDir })).rejects.toThrow(
    `Another running service uses the data directory ${dataDir}`,
  );
  expect(isDatabase(database)).toBe(true);
  expect(remembered()).toEqual(database);
});

it('a start of the local database does not end an unrelated process that has the recorded pid', async () => {
  const bystander = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 1000)']);
  cleanUp.push(() => bystander.kill('SIGKILL'));
  writeFileSync(pidPath(), `${bystander.pid} 8000`);
  await started({ dataDir });
  expect(bystander.exitCode).toBeNull();
  expect(bystander.signalCode).toBeNull();
  expect(process.kill(bystander.pid ?? 0, 0)).toBe(true);
});

it.each(['', 'nonsense', '-1 8000', '0 8000', '1 8000', '99999999 8000'])(
  'the local database starts even if its pid file contains "%s"',
  async (content) => {
    writeFileSync(pidPath(), content);
    await started({ dataDir });
    expect(isDatabase(remembered())).toBe(true);
  },
);

it('the local database reports that it has ended if and only if the end was unexpected', async () => {
  const reasons: string[] = [];
  const database = await started({ dataDir, onExit: (reason) => reasons.push(reason) });
  process.kill(remembered().pid, 'SIGKILL');
  await vi.waitFor(() => expect(reasons).toHaveLength(1), 120_000);
  expect(reasons[0]).toContain('The local database ended unexpectedly (SIGKILL');
  await database.close();

  const closed = await started({ dataDir, onExit: (reason) => reasons.push(reason) });
  await closed.close();
  expect(reasons).toHaveLength(1);
});

it('the local database reports the error if it cannot open its file', async () => {
  writeFileSync(databasePath(), 'this is no database'.repeat(1000));
  await expect(startDatabase({ dataDir })).rejects.toThrow('The local database did not start: exit code 1');
  rmSync(databasePath());
  await started({ dataDir });
});

it('the local host uses the server at DYNAMODB_ENDPOINT and starts none', async () => {
  vi.stubEnv('DYNAMODB_ENDPOINT', 'http://127.0.0.1:8123/');
  cleanUp.push(() => vi.unstubAllEnvs());
  const database = await started({ dataDir });
  expect(database.url).toBe('http://127.0.0.1:8123');
  expect(existsSync(databasePath())).toBe(false);
});

it('the local host rejects a DYNAMODB_ENDPOINT that is not a URL', async () => {
  vi.stubEnv('DYNAMODB_ENDPOINT', 'localhost:8000');
  cleanUp.push(() => vi.unstubAllEnvs());
  await expect(startDatabase({})).rejects.toThrow('DYNAMODB_ENDPOINT must be a URL such as');
});
