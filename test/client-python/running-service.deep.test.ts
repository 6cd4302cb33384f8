/** The Python client with the running service, on a network that drops, delays, repeats and truncates messages. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { webhookSamples } from '../../shared/contracts/openapi/webhook-samples.ts';
import { eventually } from '../support/eventually.ts';
import { testService } from '../support/test-service.ts';
import { tinyPng } from '../support/tiny-image.ts';
import { type Exchange, type Outcome, proxy } from '../verification/faults/proxy.ts';
import { installPythonClient, readmeSamples } from './installed-python-client.ts';

const installed = await installPythonClient();
const host = await testService();
host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
const account = await host.account({ credits: 1000 });

type Fault = (exchange: Exchange) => Promise<Outcome>;

const pass: Fault = ({ forward }) => forward(host.url);

const faults: readonly Fault[] = [
  async () => 'hang up',
  async ({ forward }) => {
    await forward(host.url);
    return 'hang up';
  },
  async ({ forward }) => {
    await forward(host.url);
    return forward(host.url);
  },
  async ({ forward, response }) => {
    const { status, headers, body = '' } = await forward(host.url);
    response.writeHead(status, { ...headers, 'content-length': Buffer.from(body).length });
    response.write(body.slice(0, body.length / 2));
    await sleep(20);
    return 'hang up';
  },
];

let requests = 0;
const network = await proxy((exchange) => {
  requests += 1;
  const fault = requests % 2 === 0 ? faults[(requests / 2) % faults.length] : pass;
  return (fault ?? pass)(exchange);
});
afterAll(async () => {
  await network.close();
  await host.close();
  installed.remove();
});

interface Outcomes {
  readonly created: readonly string[];
  readonly awaited: readonly string[];
  readonly price: number;
}

test('on a bad network, each create call of the Python clients creates one task, and no socket is left open', async () => {
  const program = join(import.meta.dirname, 'use_service.py');
  const printed = await installed.run('python', [program, network.url, account.token, host.receiver.url]);
  const [blocking, asynchronous, leaks] = JSON.parse(printed) as readonly [Outcomes, Outcomes, readonly string[]];
  expect(blocking).toEqual({
    created: blocking.created,
    awaited: blocking.created,
    hasResult: true,
    price: 1,
    batch: { items: [{ status: 200, data: expect.objectContaining({ cost: 1 }) }] },
    listed: blocking.created.toSorted(),
    file: ['fileId', 'url'],
    errors: ['NotFoundError 404 True False', 'ValidationError 400 True False'],
  });
  expect(asynchronous).toEqual({ created: asynchronous.created, awaited: asynchronous.created, price: 1 });
  expect(leaks).toEqual([]);
  const created = [...blocking.created, ...asynchronous.created];
  expect(new Set(created).size).toBe(16);
  expect(host.engine.jobs.size).toBe(16);
});

describe('the README of the Python package', () => {
  const [first, concurrent, more, errors, receiver] = readmeSamples();

  /** The samples are run unchanged; Python imports this module first, so that they wait for less time. */
  const hurry = `import asyncio, time
wait, wait_async = time.sleep, asyncio.sleep
time.sleep = lambda seconds: wait(seconds / 50)
asyncio.sleep = lambda seconds: wait_async(seconds / 50)
`;
  const runSample = async (code: string | undefined): Promise<string> => {
    const { directory } = installed;
    writeFileSync(join(directory, 'sitecustomize.py'), hurry);
    writeFileSync(join(directory, 'sample.py'), String(code));
    writeFileSync(join(directory, 'photo.png'), tinyPng(450, 800));
    const PYTHONPATH = [join(directory, 'site'), directory].join(':');
    return installed.run('python', ['sample.py'], { API_URL: host.url, API_TOKEN: account.token, PYTHONPATH });
  };

  test('has a first program that speaks a sentence', async () => {
    expect(await runSample(first)).toMatch(/^https?:\/\/\S+\.mp3\n$/);
  });

  test('has a program that awaits several tasks with asyncio', async () => {
    const lines = (await runSample(concurrent)).trim().split('\n');
    expect(lines).toContain('3 of 3');
    expect(lines.filter((line) => /^completed http\S+ 0$/.test(line))).toHaveLength(3);
  });

  test('has a program that asks for a price, uploads a file and lists tasks', async () => {
    const lines = (await runSample(more)).trim().split('\n');
    expect(lines[0]).toMatch(/^\d+ \d+$/);
    expect(lines.slice(1).every((line) => /^\S+ (voice|image|background-remove)$/.test(line))).toBe(true);
    expect(lines.length).toBeGreaterThan(3);
  });

  test('has a program that prints every detail of an error', async () => {
    expect(await runSample(errors)).toMatch(/^400 VALIDATION_ERROR .+ \S+ False None\n$/);
  });

  test('has a webhook receiver that, like the one in the reference, accepts genuine webhooks and rejects forged ones', async () => {
    const taskId = await host.speak(account.token, { text: 'Oi.', voice: 'sarah', callbackUrl: host.receiver.url });
    await host.ended(account.token, taskId);
    const delivery = await eventually('the webhook’s delivery', () => host.receiver.of(taskId).at(0));
    writeFileSync(join(installed.directory, 'receiver.py'), String(receiver));
    const sample = webhookSamples.find(({ label }) => label === 'Python')?.source;
    writeFileSync(join(installed.directory, 'reference.py'), String(sample));
    const { body, headers } = delivery;
    const variables = { API_URL: host.url, WEBHOOK_TOKEN: account.webhookToken };
    const program = join(import.meta.dirname, 'receive_webhooks.py');
    const printed = await installed.run('python', [program, JSON.stringify({ body, headers })], {
      ...variables,
      PYTHONPATH: [join(installed.directory, 'site'), installed.directory].join(':'),
    });
    expect(JSON.parse(printed)).toEqual({ receiver: [204, 400, 400], reference: [true, false, false] });
  });
});
