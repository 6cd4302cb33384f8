/** The installed client with the running service, on a network that drops, delays, repeats and truncates messages. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { testService } from '../support/test-service.ts';
import { tinyPng } from '../support/tiny-image.ts';
import { type Exchange, type Outcome, proxy } from '../verification/faults/proxy.ts';
import { installClient } from './installed-client.ts';

const installed = await installClient();
const host = await testService();
host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });

type Fault = (exchange: Exchange) => Promise<Outcome>;

const pass: Fault = ({ forward }) => forward(host.url);

const faults: Readonly<Record<string, Fault>> = {
  drop: async () => 'hang up',
  loseResponse: async ({ forward }) => {
    await forward(host.url);
    return 'hang up';
  },
  repeat: async ({ forward }) => {
    await forward(host.url);
    return forward(host.url);
  },
  delay: async ({ forward }) => {
    await sleep(100);
    return forward(host.url);
  },
  truncate: async ({ forward, response }) => {
    const { status, headers, body = '' } = await forward(host.url);
    response.writeHead(status, { ...headers, 'content-length': Buffer.from(body).length });
    response.write(body.slice(0, body.length / 2));
    await sleep(20);
    return 'hang up';
  },
};

let requests = 0;
const network = await proxy((exchange) => {
  requests += 1;
  const fault = requests % 2 === 0 ? Object.values(faults)[(requests / 2) % Object.keys(faults).length] : pass;
  return (fault ?? pass)(exchange);
});
afterAll(async () => {
  await network.close();
  await host.close();
  installed.remove();
});

/** Runs a program that has an `api` and prints JSON; it must end by itself, with nothing left open. */
async function run(name: string, url: string, token: string, lines: readonly string[]): Promise<unknown> {
  const program = join(installed.directory, `${name}.mjs`);
  const head = [
    "import { client } from 'generation-service-client';",
    `const api = client({ baseUrl: '${url}', token: '${token}' });`,
  ];
  const foot = [
    '// Sockets that are kept for further requests do not hold the process.',
    "const left = process.getActiveResourcesInfo().filter((one) => one === 'Timeout');",
    'console.log(JSON.stringify({ ...found, left }));',
  ];
  writeFileSync(program, [...head, ...lines, ...foot].join('\n'));
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  return JSON.parse(stdout);
}

test('on a bad network, each create call of the client creates one task, and no socket or timer is left open', async () => {
  const account = await host.account({ credits: 1000 });
  const photo = join(installed.directory, 'photo.png');
  writeFileSync(photo, tinyPng(40, 30));
  const found = await run('bad-network', network.url, account.token, [
    'const created = [];',
    'for (let index = 0; index < 10; index += 1)',
    "  created.push((await api.generateVoice({ body: { text: `Frase ${index}.`, voice: 'bill' } })).data.taskId);",
    'const task = await api.waitForTask(created[0]);',
    'const tasks = await api.waitForTasks(created);',
    "const { data } = await api.generateVoice.dryRun({ body: { text: 'Oi.', voice: 'bill' } });",
    'const listed = [];',
    'for await (const { id } of api.listTasks.each()) listed.push(id);',
    `const { fileId, url } = await api.files.upload(${JSON.stringify(photo)});`,
    "const error = await api.getTask({ params: { taskId: created[0].replaceAll(/\\d/g, '0') } }).catch((thrown) => thrown);",
    'const found = {',
    '  tasks: new Set(created).size,',
    "  completed: tasks.filter(({ status, id }, index) => status === 'completed' && id === created[index]).length,",
    '  hasResult: task.resultUrl.length > 0, cost: data.cost, listed: listed.toSorted().join() === created.toSorted().join(),',
    '  file: url.endsWith(fileId), error: [error.code, error.status, error.retryable, error.requestId.length > 0],',
    '};',
  ]);
  expect(found).toEqual({
    tasks: 10,
    completed: 10,
    hasResult: true,
    cost: 1,
    listed: true,
    file: true,
    error: ['NOT_FOUND', 404, false, true],
    left: [],
  });
  const { tasks, balance } = await host.standing(account.accountId);
  expect({ tasks, balance }).toEqual({ tasks: 10, balance: 990 });
  expect(requests).toBeGreaterThan(20);
});

test('one client can await a hundred tasks at once without exceeding the rate limit', async () => {
  const account = await host.account({ credits: 1000 });
  const created: string[] = [];
  // The number of open tasks and of requests is limited, so several tokens create the tasks.
  for (let batch = 0; batch < 5; batch += 1) {
    const { token } = await host.token(account.accountId);
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) => host.speak(token, { text: `Frase ${batch} ${index}.`, voice: 'bill' })),
    );
    const ended = async (id: string) =>
      (await host.service.context.tasks.find(id))?.status === 'completed' || undefined;
    for (const id of ids) await eventually(`the end of task ${id}`, () => ended(id));
    created.push(...ids);
    host.clock.advance(61_000);
  }
  let rejected = 0;
  const counted = await proxy(async ({ forward }) => {
    const reply = await forward(host.url);
    if (reply.status === 429) rejected += 1;
    return reply;
  });
  try {
    const found = await run('many-tasks', counted.url, account.token, [
      `const ids = ${JSON.stringify(created)};`,
      'const tasks = await api.waitForTasks(ids);',
      'const found = { tasks: tasks.length, inOrder: tasks.every(({ id, status }, index) => id === ids[index] && status === "completed") };',
    ]);
    expect(found).toEqual({ tasks: 100, inOrder: true, left: [] });
    expect(rejected).toBe(0);
  } finally {
    await counted.close();
  }
});
