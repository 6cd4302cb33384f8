/** The problems that the demo finds with a service, with made-up responses and real webhooks. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, client } from '../../../client/client.ts';
import { type Demo, problemsOfBalance, problemsOfDebits, runDemo } from '../../../infra/demo/demo.ts';
import type { DemoRequest } from '../../../infra/demo/demo-requests.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../infra/demo/webhook-receiver.ts';
import { tasksContracts } from '../../../shared/contracts/tasks.ts';

const task = { ...tasksContracts.getTask.example.data, results: [] };
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const { x = '' } = publicKey.export({ format: 'jwk' });
const trust = { webhookToken: 'whk_right', publicKeys: async () => [{ kty: 'OKP', crv: 'Ed25519', x }] as const };

const truthful = {
  event: 'task.completed',
  taskId: task.id,
  status: 'completed',
  resultUrl: task.resultUrl,
  creditsUsed: 1,
  timestamp: task.completedAt,
};
const rightHeaders = {
  'x-webhook-token': 'whk_right',
  'content-type': 'application/json',
  'user-agent': 'Service-Webhook/1.0',
};

const bonus = {
  id: 'bonus',
  amount: 1000,
  reason: 'bonus',
  toolId: null,
  description: 'bonus',
  createdAt: task.createdAt,
} as const;
const debit = { ...bonus, id: 'debit', amount: -1, reason: 'generation', toolId: 'voice' } as const;
const ledger = (balance: number, ...history: ReadonlyArray<typeof bonus | typeof debit>) => ({
  balance,
  history: history.map((row) => ({ ...row, description: row.toolId ? `voice, task ${task.id}` : row.description })),
  limit: 100,
  offset: 0,
});

const accepted = { status: 202, headers: new Headers(), data: { taskId: task.id, status: 'queued' } } as const;
const request = {
  name: 'voice',
  summary: 'voice',
  inputs: async () => [],
  fileNames: ['voice.mp3'],
  expected: undefined,
  send: async () => accepted,
} as unknown as DemoRequest;

let receiver: WebhookReceiver;
let written: string;
let outDir: string;

/** A service whose polls show these states of the task. */
const service = (...looks: readonly object[]): Client => {
  let look = -1;
  return {
    getTask: async () => ({ data: task }),
    listCreditHistory: async () => ({ data: ledger(1000, bonus) }),
    listTasks: async () => {
      look += 1;
      return { data: { tasks: [{ ...task, ...looks[Math.min(look, looks.length - 1)] }] } };
    },
  } as unknown as Client;
};

const run = (api: Client) => {
  const write = (text: string) => {
    written += text;
  };
  const { signal } = new AbortController();
  const demo: Demo = { api, receiver, title: 'A sentence', requests: [request], outDir, write, signal };
  return runDemo(demo);
};

/** Delivers a webhook with these deviations from the correct one; returns the response's status. */
const deliver = async (body: object = {}, headers: Record<string, string> = {}) => {
  const text = JSON.stringify({ ...truthful, ...body });
  const [id, timestamp] = ['msg_1', String(Math.floor(Date.now() / 1000))];
  const signature = sign(null, Buffer.from(`${id}.${timestamp}.${text}`), privateKey).toString('base64');
  const signed = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1a,${signature}` };
  const sent = { method: 'POST', headers: { ...signed, ...rightHeaders, ...headers }, body: text };
  return (await fetch(receiver.url, sent)).status;
};

beforeEach(async () => {
  receiver = await startWebhookReceiver(trust);
  written = '';
  outDir = mkdtempSync(join(tmpdir(), 'demo-checks-'));
});
afterEach(async () => {
  await receiver.close();
  rmSync(outDir, { recursive: true });
});

describe('the demo', () => {
  it.each([
    ['nothing wrong in a correct webhook', {}, {}, 204, /^$/],
    ['a wrong webhook token', {}, { 'x-webhook-token': 'whk_righter' }, 401, /the X-Webhook-Token of voice is wrong/],
    ['the signature of another webhook', {}, { 'webhook-id': 'msg_other' }, 401, /the signature of voice is invalid/],
    [
      'a content type other than JSON',
      {},
      { 'content-type': 'text/plain' },
      204,
      /the Content-Type of voice is text\/plain/,
    ],
    ['a user agent other than the service’s', {}, { 'user-agent': 'node' }, 204, /the User-Agent of voice is "node"/],
    ['a cost that differs from the task’s', { creditsUsed: 2 }, {}, 204, /the webhook and the task of voice differ/],
    ['a field that the task does not have', { accountId: 'x' }, {}, 204, /the webhook and the task of voice differ/],
  ])('finds %s', async (_, body, headers, status, problem) => {
    expect(await deliver(body, headers)).toBe(status);
    await run(service({ status: 'completed', progress: 100 }));
    const about = written.split('\n').find((line) => /the (X-Webhook|signature|Content|User|webhook and)/.test(line));
    expect(about?.trim() ?? '').toMatch(problem);
    expect(written).toContain(about ? '✗' : '✓ Every webhook had the right token');
  });

  it('reports a failed task and progress that decreases', async () => {
    await deliver();
    await run(
      service({ status: 'processing', progress: 50 }, { status: 'failed', progress: 40, error: { code: 'X' } }),
    );
    expect(written).toContain('the progress of voice decreased; voice failed: X');
  });

  it('reports a replay that is not marked as one, and missing results', async () => {
    await deliver();
    expect(await run(service({ status: 'completed', progress: 100 }))).toBe(false);
    expect(written).toContain('the response is not marked with Idempotent-Replayed');
    expect(written).toContain('voice has 0 results');
    expect(written).toMatch(/was not debited exactly once/);
  });

  it('ends at the first step that fails, and reports checks that were not reached as not passed', async () => {
    const { url } = receiver;
    await receiver.close();
    const dead = client({ baseUrl: new URL(url).origin, token: 'av_x', maxRetries: 0 });
    expect(await run(dead)).toBe(false);
    receiver = await startWebhookReceiver(trust);
    expect(written).toMatch(/This step failed: No complete response arrived: fetch failed, .*ECONNREFUSED/);
    expect(written).not.toContain('✓');
    expect(written.match(/✗ .* \(not reached\)$/gm)).toHaveLength(8);
  });
});

it('the receiver for the demo’s webhooks responds 400 to a body that is not JSON', async () => {
  expect((await fetch(receiver.url, { method: 'POST', headers: rightHeaders, body: '{' })).status).toBe(400);
});

describe('the demo’s check of the ledger', () => {
  const before = ledger(1000, bonus);
  const found = (after: ReturnType<typeof ledger>) => [
    ...problemsOfDebits(before, after, [task]),
    ...problemsOfBalance(after),
  ];

  it.each([
    ['no problem in one debit of the task’s cost', ledger(999, debit, bonus), []],
    ['that a debit is missing', ledger(1000, bonus), [/not debited exactly once/]],
    ['a second debit', ledger(998, { ...debit, id: 'second' } as never, debit, bonus), [/not debited exactly once/]],
    [
      'an unexpected refund besides the debit',
      ledger(1000, { ...bonus, id: 'refund', amount: 1, reason: 'refund' } as never, debit, bonus),
      [/an unexpected refund of 1/],
    ],
    [
      'a balance that is not the sum of the rows',
      ledger(1000, debit, bonus),
      [/balance is 1000, but the rows add up to 999/],
    ],
  ])('finds %s', (_, after, problems) => {
    expect(found(after)).toEqual(problems.map((problem) => expect.stringMatching(problem)));
  });
});
