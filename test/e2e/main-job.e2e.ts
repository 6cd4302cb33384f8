/** The main flow: a request leads to a file, a debit and a webhook. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyWebhook } from '../../client/verify-webhook.ts';
import type { Jwk } from '../../shared/platform/signing-keys.ts';
import { eventually } from '../support/eventually.ts';
import { type WebhookReceiver, webhookReceiver } from '../support/webhook-receiver.ts';
import { type BackEnd, newBackEnd } from './back-end.ts';
import { isCapable, target } from './target.ts';

let ana: BackEnd;
let receiver: WebhookReceiver;

beforeAll(async () => {
  [ana, receiver] = await Promise.all([newBackEnd(50), webhookReceiver()]);
});
afterAll(() => receiver.close());

test('a text is converted to an audio file in the service’s own storage, and its credits are debited once', async () => {
  const taskId = await ana.speak();
  const task = await ana.ended(taskId);
  expect(task).toMatchObject({ status: 'completed', progress: 100, creditsUsed: 1, creditsRefunded: 0 });
  expect(await ana.ledger()).toEqual([
    [-1, 'generation'],
    [50, 'bonus'],
  ]);

  const file = await fetch(task.resultUrl ?? '');
  expect(file.status).toBe(200);
  expect(file.headers.get('content-type')).toBe('audio/mpeg');
  const bytes = Buffer.from(await file.arrayBuffer());
  expect(bytes.length).toBe(task.results?.[0]?.bytes);
  expect(bytes.length).toBeGreaterThan(5000);
});

test.runIf(isCapable('local-webhooks'))('a webhook reports the result of a task, and can be verified', async () => {
  const taskId = await ana.speak({ callbackUrl: receiver.url });
  const { resultUrl } = await ana.ended(taskId);
  const delivery = await eventually('the webhook', () => receiver.of(taskId)[0]);
  expect(delivery.headers['x-webhook-token']).toBe(ana.webhookToken);
  const published = await fetch(`${target.url}/.well-known/webhook-keys.json`);
  const { keys } = (await published.json()) as { keys: Jwk[] };
  const { body, headers } = delivery;
  expect(await verifyWebhook({ body, headers, keys, now: Date.now() })).toMatchObject({
    ok: true,
  });
  expect(JSON.parse(body)).toMatchObject({ event: 'task.completed', taskId, resultUrl });
});

test.runIf(isCapable('local-webhooks'))(
  'a webhook receiver that fails twice gets exactly three attempts with byte-identical bodies',
  async () => {
    receiver.respond((response, attempt) => void response.writeHead(attempt < 3 ? 500 : 200).end());
    const taskId = await ana.speak({ callbackUrl: receiver.url });
    const shown = await eventually(
      'the third attempt',
      async () => {
        const { webhook } = await ana.task(taskId);
        return webhook?.status === 'delivered' ? webhook : undefined;
      },
      { patienceMs: 60_000, everyMs: 2000 },
    );
    expect(shown.attempts.map(({ statusCode }) => statusCode)).toEqual([500, 500, 200]);
    const bodies = receiver.of(taskId).map(({ body }) => body);
    expect(bodies).toHaveLength(3);
    expect(new Set(bodies).size).toBe(1);
  },
);

test('a dry run returns the cost and stores nothing', async () => {
  const before = await ana.ledger();
  const { data } = await ana.api.generateVoice.dryRun({ body: { text: 'x'.repeat(51), voice: 'bill' } });
  expect(data).toMatchObject({ cost: 2, operation: 'generateVoice' });
  expect(await ana.ledger()).toEqual(before);
});

test('the operations for health and plans need no token', async () => {
  const health = await fetch(`${target.url}/api/v1/health`);
  expect(await health.json()).toMatchObject({ success: true, data: { status: 'ok' } });
  const plans = await fetch(`${target.url}/api/v1/plans`);
  expect(plans.status).toBe(200);
});
