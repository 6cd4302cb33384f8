/**
 * The local database on machines that lack the declared package: each alternative is tested by hiding those before it.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDatabaseProcess } from '../../../../infra/local/database/database-process.ts';
import { databaseProgram, type Machine } from '../../../../infra/local/database/database-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'database-program-'));
const [withDynoxide, withJava, home] = ['dynoxide', 'java', 'home'].map((name) => join(folder, name));
const { resolve } = createRequire(import.meta.url);
const installed = join(
  dirname(resolve(`@dynoxide/${process.platform}-${process.arch}/package.json`)),
  process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide',
);

/** Replaces Java: listens on the port that DynamoDB Local is given, without printing that it does. */
const fakeJava = `#!/bin/sh
while [ "$1" != "-port" ]; do shift; done
exec ${installed} serve --port "$2" 2>/dev/null
`;

beforeAll(() => {
  for (const path of [withDynoxide, withJava, home]) mkdirSync(path ?? '');
  symlinkSync(installed, join(String(withDynoxide), 'dynoxide'));
  writeFileSync(join(String(withJava), 'java'), fakeJava);
  chmodSync(join(String(withJava), 'java'), 0o755);
  writeFileSync(join(String(home), 'DynamoDBLocal.jar'), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hidden: Machine['resolve'] = (file) => {
  throw new Error(`${file} is hidden`);
};

const all = { PATH: [withJava, withDynoxide].join(':'), DYNAMODB_LOCAL_HOME: home };
const machineWith = (given: Partial<Machine>): Machine => {
  const { platform, arch } = process;
  return { platform, arch, environment: all, resolve, ...given };
};

test.for([
  ['the declared package', { resolve }, installed],
  [
    'a dynoxide program on the PATH if the package is missing',
    { resolve: hidden },
    join(String(withDynoxide), 'dynoxide'),
  ],
  [
    'DynamoDB Local on Java if there is no dynoxide',
    { resolve: hidden, environment: { ...all, PATH: withJava } },
    join(String(withJava), 'java'),
  ],
] as const)('the local database is %s', async ([, given, command]) => {
  const program = databaseProgram(machineWith(given));
  expect(program.command).toBe(command);
  const database = await startDatabaseProcess({ program });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: database.url, region: 'us-east-1', credentials, maxAttempts: 1 });
  try {
    expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual([]);
  } finally {
    client.destroy();
    await database.close();
  }
});

test('DynamoDB Local stores its data in the given folder, shared by all credentials', () => {
  const program = databaseProgram(machineWith({ resolve: hidden, environment: { ...all, PATH: withJava } }));
  expect(program.args(8000, '/data')).toEqual([
    `-Djava.library.path=${join(String(home), 'DynamoDBLocal_lib')}`,
    '-jar',
    join(String(home), 'DynamoDBLocal.jar'),
    '-port',
    '8000',
    '-sharedDb',
    '-dbPath',
    '/data',
  ]);
});

test.for([
  ['no jar', { DYNAMODB_LOCAL_HOME: '/nowhere' }, 'must be a folder with DynamoDBLocal.jar, but is "/nowhere"'],
  ['no Java', { DYNAMODB_LOCAL_HOME: home }, 'no java is on the PATH: install Java 17'],
] as const)('a DYNAMODB_LOCAL_HOME with %s is rejected', ([, environment, message]) => {
  expect(() => databaseProgram(machineWith({ resolve: hidden, environment }))).toThrow(message);
});

test('without any database program, the error lists a line to paste for each way to get one', () => {
  const bare = machineWith({ platform: 'darwin', arch: 'arm64', resolve: hidden, environment: {} });
  expect(() => databaseProgram(bare)).toThrow(
    /darwin-arm64.*\n {2}npm install --no-save @dynoxide\/darwin-arm64 .*\n {2}export PATH=.*\n {2}export DYNAMODB_LOCAL_HOME=.*\n {2}export DYNAMODB_ENDPOINT=http/,
  );
});
