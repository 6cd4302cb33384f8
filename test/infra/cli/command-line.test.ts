import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { groups } from '../../../infra/cli/groups.ts';
import { runCommandLine } from '../../../infra/cli/run-command-line.ts';
import { type OperatedService, startOperatedService } from './operated-service.ts';
import { runTool } from './run-tool.ts';

let service: OperatedService;
let emptyDir: string;

beforeAll(async () => {
  service = await startOperatedService();
});

afterAll(() => service.close());

beforeEach(() => {
  emptyDir = mkdtempSync(join(tmpdir(), 'no-service-'));
  return () => rmSync(emptyDir, { recursive: true, force: true });
});

const withoutService = (...args: string[]) => runTool(args, { LOCAL_DATA_DIR: emptyDir });

const listing = ['account', 'list'];

it.each(['help', '--help', '-h'])('tells every command on %s, without a service', async (word) => {
  const { exitCode, stdout, stderr } = await withoutService(word);

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const commands = groups.flatMap((group) => group.commands.map(({ name }) => `  ${group.name} ${name}`));
  expect(commands).toHaveLength(20);
  for (const command of commands) expect(stdout).toContain(command);
  expect(stdout).toContain('Exit codes: 0 done, 1 refused or failed, 2 the command line is wrong.');
});

it.each(groups.map((group) => [group.name, group] as const))(
  'tells all options of %s on its help',
  async (name, group) => {
    const endings = await Promise.all([
      withoutService(name, '--help'),
      withoutService('help', name),
      withoutService(name, group.commands[0]?.name ?? '', '-h'),
    ]);
    const [{ stdout }] = endings;
    for (const command of group.commands) {
      expect(stdout).toContain(`npm run admin -- ${name} ${command.name}`);
      for (const option of Object.keys(command.options)) expect(stdout).toContain(`--${option}`);
    }
    for (const ending of endings) expect(ending).toEqual({ exitCode: 0, stdout, stderr: '' });
  },
);

it('says how a date is read in the help of tokens', async () => {
  expect((await runCommandLine(['token', '--help'])).stdout).toContain('2031-01-31 (to the end of that day, UTC)');
});

it('prints help as one JSON document when JSON is asked for', async () => {
  expect(JSON.parse((await runCommandLine(['--json', 'help'])).stdout)).toEqual({
    usage: expect.stringContaining('account create'),
  });
});

it.each([
  [
    'no command',
    [],
    'A command begins with one of account, token, credits, switch, route, task, webhook, engine, request, or help.',
  ],
  ['an unknown group', ['acount', 'list'], 'A command begins with one of account, token'],
  ['help on an unknown group', ['help', 'acount'], 'There is help on account, token'],
  ['no command of a group', ['account'], 'account is followed by one of create, list, show, reconcile.'],
  [
    'an unknown command of a group',
    ['account', 'delete'],
    'account is followed by one of create, list, show, reconcile.',
  ],
  ['an unknown option', ['account', 'list', '--all'], 'There is no option --all here: the options are --json.'],
  ['an unknown short option', ['account', 'list', '-a'], 'There is no option -a here: the options are --json.'],
  ['an object’s own name as an option', ['account', 'list', '--constructor'], 'There is no option --constructor here'],
  ['an argument that is not taken', ['account', 'list', 'mine'], 'too many arguments: the command takes options only.'],
  ['an option given twice', ['account', 'show', '--account', 'a', '--account', 'b'], '--account must be given once.'],
  ['an option without its value', ['account', 'show', '--account'], '--account needs a value: an id'],
  ['an option in the place of a value', ['account', 'create', '--email', '--name', 'A'], '--email needs a value'],
  ['an empty value', ['account', 'show', '--account='], '--account must be an id'],
  ['a value of a flag', ['account', 'list', '--json=yes'], '--json takes no value.'],
])('refuses %s with a sentence and a hint', async (_, args, sentence) => {
  const { exitCode, stdout, stderr } = await runCommandLine(args);

  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(sentence);
  expect(stderr).toMatch(/Run "npm run admin -- (\w+ )?--help" for usage\.\n$/);
  expect(stderr.trimEnd()).not.toContain('\n');
});

it('prints a refusal as one JSON document on stderr when JSON is asked for', async () => {
  const { exitCode, stdout, stderr } = await withoutService('account', 'delete', '--json');

  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(JSON.parse(stderr)).toEqual({ error: expect.stringContaining('account is followed by one of') });
});

it('says that no service runs, and how to start one', async () => {
  const { exitCode, stdout, stderr } = await withoutService(...listing);

  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toBe(
    `No service runs on ${emptyDir}: start it with "npm start", or name its data directory in LOCAL_DATA_DIR.\n`,
  );
});

it('takes a service that was killed for none', async () => {
  const { pid } = spawnSync(process.execPath, ['--eval', '']);
  writeFileSync(join(emptyDir, 'service.json'), JSON.stringify({ pid, url: 'http://127.0.0.1:1', environment: {} }));

  expect(await withoutService(...listing)).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringContaining('npm start'),
  });
});

it('quotes nothing of a service file that it can not read', async () => {
  writeFileSync(join(emptyDir, 'service.json'), '{"environment":{"ENGINE_CALLBACK_KEY":"5ec7e7"');
  const { exitCode, stderr } = await withoutService(...listing);

  expect(exitCode).toBe(1);
  expect(stderr).toContain('service.json can not be read');
  expect(stderr).not.toContain('5ec7e7');
});

it('says of a service that is gone that it does not answer', async () => {
  const environment = { ...service.environment, AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' };
  writeFileSync(join(emptyDir, 'service.json'), JSON.stringify({ pid: process.pid, url: service.url, environment }));
  const { exitCode, stdout, stderr } = await withoutService(...listing);

  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toBe('The service does not answer (ECONNREFUSED): is it still running?\n');
});

it('finds the service whatever AWS settings the operator has', async () => {
  const { exitCode, stderr } = await service.admin(listing, {
    AWS_PROFILE: 'somebody',
    AWS_REGION: 'eu-west-1',
    AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9',
    AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true',
  });

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

it('prints one JSON document and nothing else, whatever log level the operator has set', async () => {
  const { stdout, stderr } = await service.admin([...listing, '--json'], { POWERTOOLS_LOG_LEVEL: 'DEBUG' });

  expect(JSON.parse(stdout)).toEqual({ accounts: [] });
  expect(stderr).toBe('');
});

it.each([
  ['webhook', 'redrive'],
  ['engine', 'set-key', '--engine', 'offline'],
  ['request', 'show', '--id', '01939f3a-0000-7000-8000-000000000000'],
])('says of "%s %s" that it is for a deployed stage', async (...command) => {
  const { exitCode, stderr } = await service.admin(command);

  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: 'The local service has no such thing: name a deployed stage with --stage.\n',
  });
});

it.each([
  ['no name', ['--stage'], '--stage needs the name of a stage, such as dev.'],
  ['another option', ['--stage', '--json'], '--stage needs the name of a stage, such as dev.'],
  ['a second one', ['--stage', 'dev', '--stage=prod'], '--stage must be given once.'],
])('refuses a stage that is given as %s', async (_, options, sentence) => {
  const { exitCode, stderr } = await runCommandLine(['account', 'list', ...options]);

  expect(exitCode).toBe(2);
  expect(stderr).toContain(sentence);
});
