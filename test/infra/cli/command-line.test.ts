import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { groups } from '../../../infra/cli/groups.ts';
import { runCommandLine } from '../../../infra/cli/run-command-line.ts';
import { csv } from '../../../infra/cli/text-output.ts';
import { startOperatedService } from './operated-service.ts';
import { runTool } from './run-tool.ts';

let emptyDir: string;

const service = await startOperatedService();

afterAll(() => service.close());

beforeEach(() => {
  emptyDir = mkdtempSync(join(tmpdir(), 'no-service-'));
  return () => rmSync(emptyDir, { recursive: true, force: true });
});

const withoutService = (...args: string[]) => runTool(args, { LOCAL_DATA_DIR: emptyDir });

const listing = ['account', 'list'];

/** Runs the command in this process. */
const listWithoutService = () =>
  runCommandLine(listing, { environment: { LOCAL_DATA_DIR: emptyDir }, input: async () => '' });

const commandsOf = async () =>
  (await Promise.all(groups.map(async (group) => (await group.load()).map((command) => ({ group, command }))))).flat();

it.each([
  ['help', withoutService],
  // In this process, which takes a tenth of the time.
  ['--help', (word: string) => runCommandLine([word])],
  ['-h', (word: string) => runCommandLine([word])],
])('the command line lists every group for the argument %s without a running service', async (word, run) => {
  const { exitCode, stdout, stderr } = await run(word);

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  for (const { name, summary } of groups) {
    expect(stdout).toContain(`  ${name} `);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(summary);
  }
  expect(stdout).toContain('Exit codes: 0 success, 1 rejected or failed, 2 invalid command line.');
});

it('the command line documents every command and option in its help', async () => {
  const commands = await commandsOf();
  expect(commands.length).toBeGreaterThan(15);
  for (const { group, command } of commands) {
    const path = group.isCommand ? [group.name] : [group.name, command.name];
    if (!group.isCommand) expect((await runCommandLine([group.name, '--help'])).stdout).toContain(`  ${command.name} `);
    const { stdout } = await runCommandLine([...path, '--help']);
    expect(stdout).toContain(`npm run admin -- ${path.join(' ')}`);
    for (const option of Object.keys(command.options)) expect(stdout).toContain(`--${option}`);
  }
});

it('the command line prints help as one JSON document when JSON is requested', async () => {
  expect(JSON.parse((await runCommandLine(['--json', 'help'])).stdout)).toEqual({
    usage: expect.stringContaining('account'),
  });
});

it.each([
  ['a missing command', [], 'A command is required.'],
  ['an unknown group', ['acount', 'list'], "Unknown command 'acount' (Did you mean account?)."],
  ['a missing command of a group', ['account'], 'A command is required.'],
  ['an unknown command of a group', ['account', 'delete'], "Unknown command 'delete'"],
  ['an unknown option', ['account', 'list', '--all'], "Unknown option '--all'."],
  ['an unknown short option', ['account', 'list', '-a'], "Unknown option '-a'."],
  ['an inherited property name as an option', ['account', 'list', '--constructor'], "Unknown option '--constructor'."],
  ['an unexpected argument', ['account', 'list', 'mine'], 'Expected 0 arguments but got 1.'],
  ['a repeated option', ['account', 'show', '--account', 'a', '--account', 'b'], '--account must be given once.'],
  ['an option without its value', ['account', 'show', '--account'], "Option '--account <ACCOUNT>' argument missing."],
  ['an empty value', ['account', 'show', '--account='], '--account must be an id'],
  ['a missing option', ['account', 'show'], '--account is required: an id'],
])('the command line rejects %s with one sentence and a hint', async (_, args, sentence) => {
  const { exitCode, stdout, stderr } = await runCommandLine(args);

  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(sentence);
  expect(stderr).toMatch(/Run "npm run admin -- (\w+ ){0,2}--help" for usage\.\n$/);
  expect(stderr.trimEnd()).not.toContain('\n');
});

it.each([
  ['the command', ['connection', 'show'], 'connection show --help'],
  ['the group of an unknown command', ['connection', 'display', '--account', 'list'], 'connection --help'],
  ['all groups', ['connexion', 'show'], '--help'],
])('an invalid command points to the help of %s', async (_, args, hint) => {
  expect((await runCommandLine(args)).stderr).toContain(`Run "npm run admin -- ${hint}" for usage.`);
});

it('the command line prints a rejection as one JSON document on stderr when JSON is requested', async () => {
  const { exitCode, stdout, stderr } = await withoutService('account', 'delete', '--json');

  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(JSON.parse(stderr)).toEqual({ error: expect.stringContaining("Unknown command 'delete'") });
});

it('the command line reports that no service is running and how to start one', async () => {
  const { exitCode, stdout, stderr } = await withoutService(...listing);

  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toBe(
    `No service runs on ${emptyDir}: start it with "npm start", or name its data directory in LOCAL_DATA_DIR.\n`,
  );
});

it('the command line treats a killed service as not running', async () => {
  const { pid } = spawnSync(process.execPath, ['--eval', '']);
  writeFileSync(join(emptyDir, 'service.json'), JSON.stringify({ pid, url: 'http://127.0.0.1:1', environment: {} }));

  expect(await listWithoutService()).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringContaining('npm start'),
  });
});

it('the command line never prints the content of an unreadable service file', async () => {
  writeFileSync(join(emptyDir, 'service.json'), '{"environment":{"ENGINE_CALLBACK_KEY":"5ec7e7"');
  const { exitCode, stderr } = await listWithoutService();

  expect(exitCode).toBe(1);
  expect(stderr).toContain('service.json cannot be read');
  expect(stderr).not.toContain('5ec7e7');
});

it('the command line reports that a stopped service does not respond', async () => {
  const environment = { ...service.environment, AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' };
  writeFileSync(join(emptyDir, 'service.json'), JSON.stringify({ pid: process.pid, url: service.url, environment }));
  const { exitCode, stdout, stderr } = await listWithoutService();

  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toBe('The service does not respond (ECONNREFUSED): is it still running?\n');
});

it('the command line ignores the operator’s AWS settings for the local service', async () => {
  const { exitCode, stderr } = await runTool(listing, {
    LOCAL_DATA_DIR: service.dataDir,
    AWS_PROFILE: 'developer',
    AWS_REGION: 'eu-west-1',
    AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9',
    AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true',
  });

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

it('the command line prints one JSON document and nothing else at any log level', async () => {
  const { stdout, stderr } = await runTool([...listing, '--json'], {
    LOCAL_DATA_DIR: service.dataDir,
    POWERTOOLS_LOG_LEVEL: 'DEBUG',
  });

  expect(JSON.parse(stdout)).toEqual({ accounts: [] });
  expect(stderr).toBe('');
});

it.each([
  ['engine', 'set-key', '--engine', 'offline'],
  ['request', 'show', '--id', '01939f3a-0000-7000-8000-000000000000'],
])('the command line rejects "%s %s" for the local service', async (...command) => {
  const { exitCode, stderr } = await service.admin(command);

  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: 'This command needs a deployed stage: name one with --stage.\n',
  });
});

it.each([
  ['no name', ['--stage'], "Option '--stage <name>' argument missing."],
  ['another option', ['--stage', '--json'], '--stage must be the name of a stage, such as dev.'],
  ['a second --stage', ['--stage', 'dev', '--stage=prod'], '--stage must be given once.'],
])('the command line rejects --stage followed by %s', async (_, options, sentence) => {
  const { exitCode, stderr } = await runCommandLine(['account', 'list', ...options]);

  expect(exitCode).toBe(2);
  expect(stderr).toContain(sentence);
});

it('control characters and text direction characters, which a terminal would obey, are escaped or removed in CSV', () => {
  const rows = [{ name: 'Ana\u001b]0;title\u0007\n', scopes: ['\u202ea', 'b'], credits: 7 }];
  expect(csv(rows)).toBe('name,scopes,credits\r\nAna\\u001b]0;title\\u0007\\u000a,\\u202ea b,7');
});

it('every list can be printed as a table, as JSON and as CSV, and no other output as CSV', async () => {
  const lists = (await commandsOf()).filter(({ command }) => command.name === 'list');
  expect(lists.length).toBeGreaterThanOrEqual(8);
  for (const { command, group } of lists) expect(command.rows, group.name).toBeDefined();
  const account = await service.newAccount();
  const asCsv = await service.admin(['credits', 'list', '--account', account, '--csv']);
  const row = /^\S+Z,100,bonus,,,,$/;
  expect(asCsv.stdout.trimEnd().split('\r\n')).toEqual([
    'at,amount,reason,type,taskId,orderId,tokenId',
    expect.stringMatching(row),
  ]);
  const text = await service.admin(['credits', 'list', '--account', account]);
  expect(text.stdout).toMatch(/^at +amount +reason +type .*\n\S+Z +100 +bonus +none/);
  expect(await runCommandLine(['account', 'show', '--account', account, '--csv'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--csv is for commands that print a list'),
  });
  expect(await runCommandLine(['account', 'list', '--json', '--csv'])).toMatchObject({ exitCode: 2 });
});
