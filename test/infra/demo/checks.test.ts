import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, client } from '../../../client/client.ts';
import { type CheckName, checks } from '../../../infra/demo/checks.ts';
import type { Demo } from '../../../infra/demo/demo.ts';
import type { DemoRequest } from '../../../infra/demo/order.ts';
import { runDemo } from '../../../infra/demo/run-demo.ts';
import { screen } from '../../../infra/demo/screen.ts';
import { checkLedger } from '../../../infra/demo/steps/check-ledger.ts';
import { checkWebhooks } from '../../../infra/demo/steps/check-webhooks.ts';
import type { Ledger, LedgerRow } from '../../../infra/demo/steps/show-ledger.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../infra/demo/webhook-receiver.ts';
import { tasksContracts } from '../../../shared/contracts/tasks.ts';
import { capturedStream } from './captured-stream.ts';
import { signedWebhooks } from './signed-webhooks.ts';

const { signal } = new AbortController();
const { sign, trust } = signedWebhooks('whk_right');
const task = { ...tasksContracts.getTask.example.data, results: [] };
const api = { getTask: async () => ({ data: task }) } as unknown as Client;

const request: DemoRequest = {
  name: 'voice',
  summary: 'voice',
  idempotencyKey: 'demo-voice',
  inputs: async () => [],
  fileNames: ['voice.mp3'],
  expected: undefined,
  send: (client, { callbackUrl, ...key }) => client.generateVoice({ body: { text: 'Olá!', callbackUrl }, ...key }),
};
const show = {
  title: 'A sentence',
  requests: [request] as const,
  addresses: {},
  fileNames: request.fileNames,
  followingSeconds: 1,
  close: async () => undefined,
};

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

const nowhere = { outDir: '/nowhere' };

let receiver: WebhookReceiver;
let demo: Demo;
let captured: ReturnType<typeof capturedStream>;

/** The failed checks with their problems. */
const untrue = (): string[] => demo.checks.results().flatMap(({ problems }) => problems ?? []);

beforeEach(async () => {
  receiver = await startWebhookReceiver(trust);
  captured = capturedStream({ isTTY: false });
  demo = { api: () => api, receiver, checks: checks(), screen: screen(captured.stream), ...nowhere };
});
afterEach(() => receiver.close());

describe('the demo’s check of webhooks', () => {
  const deliver = async (body: object, headers: Record<string, string>) => {
    const text = JSON.stringify(body);
    const signed = { ...sign(text), ...headers };
    const response = await fetch(receiver.url, { method: 'POST', headers: signed, body: text });
    await response.body?.cancel();
    const accepted = { taskId: task.id, status: 'queued' } as const;
    await checkWebhooks(demo, [{ request, status: 202, accepted }], signal);
  };

  it('accepts a webhook that matches the task', async () => {
    await deliver(truthful, rightHeaders);
    expect(untrue()).toEqual([]);
  });

  it.each([
    ['another token', truthful, { 'x-webhook-token': 'whk_wrong' }, /X-Webhook-Token/],
    ['another signature', truthful, { 'webhook-id': 'msg_other' }, /signature/],
    ['another content type', truthful, { 'content-type': 'application/json; charset=utf-8' }, /Content-Type/],
    ['another user agent', truthful, { 'user-agent': 'node' }, /User-Agent/],
    ['another cost', { ...truthful, creditsUsed: 2 }, {}, /differ/],
    ['another address', { ...truthful, resultUrl: `${task.resultUrl}x` }, {}, /differ/],
    ['another field', { ...truthful, accountId: 'x' }, {}, /differ/],
  ])('finds %s', async (_, body, headers, problem) => {
    await deliver(body, { ...rightHeaders, ...headers });
    expect(untrue()).toEqual([expect.stringMatching(problem)]);
  });
});

describe('the demo’s check of the ledger', () => {
  const row = (name: string, amount: number, reason: LedgerRow['reason']): LedgerRow => ({
    id: name,
    amount,
    reason,
    toolId: reason === 'bonus' ? null : 'voice',
    description: reason === 'bonus' ? 'bonus' : `voice, task ${task.id}`,
    createdAt: task.createdAt,
  });
  const bonus = row('bonus', 1000, 'bonus');
  const debit = row('debit', -1, 'generation');
  const ledger = (balance: number, ...history: LedgerRow[]): Ledger => ({ balance, history, limit: 100, offset: 0 });
  const before = ledger(1000, bonus);

  it('accepts one debit of the task’s cost', () => {
    checkLedger(demo, before, ledger(999, debit, bonus), [task]);
    expect(untrue()).toEqual([]);
  });

  it.each([
    ['no debit', ledger(1000, bonus), /not debited exactly once/],
    ['a debit of another amount', ledger(998, { ...debit, amount: -2 }, bonus), /not debited exactly once/],
    [
      'a debit of another task',
      ledger(999, { ...debit, description: 'voice, task x' }, bonus),
      /not debited exactly once/,
    ],
    ['a second debit', ledger(998, { ...debit, id: 'second' }, debit, bonus), /not debited exactly once/],
    ['a refund besides', ledger(1000, row('refund', 1, 'refund'), debit, bonus), /an unexpected refund of 1/],
    ['a balance that is not the sum', ledger(1000, debit, bonus), /balance is 1000, but the rows add up to 999/],
  ])('finds %s', (_, after, problem) => {
    checkLedger(demo, before, after, [task]);
    expect(untrue()[0]).toMatch(problem);
  });
});

describe('the demo', () => {
  it('ends with the first step that fails, and passes no check that was not reached', async () => {
    const { url } = receiver;
    await receiver.close();
    const dead = client({ baseUrl: new URL(url).origin, token: 'av_x' });

    expect(await runDemo({ ...demo, api: () => dead }, show, signal)).toBe(false);
    expect(captured.text()).toMatch(/This step failed: fetch failed, .*ECONNREFUSED/);
    expect(captured.text()).not.toContain('✓');
    expect(captured.text().match(/✗ .* \(not reached\)$/gm)?.length).toBe(8);
    receiver = await startWebhookReceiver(trust);
  });

  it('distinguishes a recorded check from one that was not reached', () => {
    const names: CheckName[] = ['accepted', 'completed'];
    for (const [index, name] of names.entries()) demo.checks.report(name, index === 0 ? [] : ['no']);

    expect(demo.checks.results().map(({ problems }) => problems?.length)).toEqual([0, 1, ...Array(6).fill(undefined)]);
  });
});
