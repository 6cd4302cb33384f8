/** The requests of docs/getting-started.md and the buttons of docs/billing.md work as shown, pasted into a shell. */
import { execFileSync, spawn } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { startedService } from '../support/started-service.ts';
import { codeIn, pageAt } from './pages.ts';

const page = pageAt('docs/getting-started.md');
const shownTask = '01a1fd08-2b66-70b8-b310-f738425122fe';

const service = await startedService({ PORT: '0' }, ['--memory']);
const [, pix = ''] = /PIX sandbox +(\S+)/.exec(service.output) ?? [];
const environment = { PATH: process.env.PATH ?? '', API: `${service.url}/api/v1`, API_TOKEN: service.token, PIX: pix };

afterAll(() => service.end('SIGTERM'));

const shell = (script: string): string =>
  execFileSync('bash', ['-c', script], { env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** The names of a value's properties, at any depth. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)]);
}

const shapeOf = (json: string): string[] => [...new Set(namesIn(JSON.parse(json)))].toSorted();

/** The commands, with the responses that the page shows for them. */
const sessions = codeIn(page, ['console']).map((code) => {
  const [, command = '', response = ''] = /^\$ ((?:.*\\\n)*.*)\n([\s\S]*)$/.exec(code) ?? [];
  return { command, response };
});

/** The shell scripts in a section of a page. */
function scriptsUnder(path: string, heading: string): string[] {
  const [, rest = ''] = pageAt(path).split(`\n## ${heading}\n`);
  return codeIn(rest.split('\n## ', 1)[0] ?? '', ['sh']);
}

test('each request of the getting-started page gets a response with the fields that the page shows', async () => {
  expect(sessions).toHaveLength(4);
  let taskId = shownTask;
  for (const { command, response } of sessions) {
    const run = () => shell(command.replaceAll(shownTask, taskId));
    const isPoll = command.includes('/tasks/');
    const got = isPoll
      ? await eventually('the result', () => (run().includes('"completed"') ? run() : undefined))
      : run();
    expect(shapeOf(got), command).toEqual(shapeOf(response));
    taskId = (JSON.parse(got) as { data: { taskId?: string } }).data.taskId ?? taskId;
  }
});

test('the one-line receiver on the getting-started page prints the webhook of the request shown with it', async () => {
  const [script = ''] = scriptsUnder('docs/getting-started.md', 'Get a webhook');
  const [receiver = '', ...request] = script.replaceAll('4000', String(await freePort())).split('\n');
  const child = spawn('bash', ['-c', `exec ${receiver.replace(/ &$/, '')}`], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const { data } = JSON.parse(shell(request.join('\n'))) as { data: { taskId: string } };
  await eventually('the webhook', () => (printed.includes(data.taskId) ? true : undefined));
  child.kill();
  expect(JSON.parse(printed)).toMatchObject({ taskId: data.taskId, status: 'completed' });
});

test('a file can be uploaded and used as the getting-started page shows', () => {
  const [script = ''] = scriptsUnder('docs/getting-started.md', 'Use a file of your own');
  expect(shell(script)).toMatch(/taskId: '[0-9a-f-]{36}', status: 'queued'/);
});

test('a credit pack and a plan can be ordered as the getting-started page shows', () => {
  const [script = ''] = scriptsUnder('docs/getting-started.md', 'Buy credits');
  expect(shell(script).match(/"success":true/g)).toHaveLength(3);
});

test('a program can press the buttons of both sandboxes as docs/billing.md shows', async () => {
  const scripts = scriptsUnder('docs/billing.md', 'Press the buttons from a program');
  expect(scripts).toHaveLength(2);
  shell(`set -e\n${scripts.join('\n')}`);
  const orders = () => shell(`curl -s "$API/orders" -H "Authorization: Bearer $API_TOKEN"`);
  await eventually('two paid orders', () => (orders().match(/"status":"paid"/g)?.length === 2 ? true : undefined));
});
