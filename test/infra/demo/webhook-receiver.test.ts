import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '../../../infra/demo/webhook-receiver.ts';
import { signedWebhooks } from './signed-webhooks.ts';

const { signal } = new AbortController();
const { sign, trust } = signedWebhooks('whk_right');
let receiver: WebhookReceiver;

const post = async (headers: Record<string, string>, body: string): Promise<number> => {
  const response = await fetch(receiver.url, { method: 'POST', headers: { ...sign(body), ...headers }, body });
  return response.status;
};

beforeAll(async () => {
  receiver = await startWebhookReceiver(trust);
});
afterAll(() => receiver.close());

it('the demo’s webhook receiver accepts a webhook with the right token and delivers it to its waiter', async () => {
  const waiting = receiver.deliveryOf('one', signal);
  const status = await post({ 'x-webhook-token': 'whk_right' }, '{"taskId":"one","event":"task.completed"}');

  expect(status).toBe(204);
  expect(await waiting).toMatchObject({
    authentic: true,
    signed: true,
    body: { taskId: 'one', event: 'task.completed' },
  });
  expect(await receiver.deliveryOf('one', signal)).toBe(await waiting);
});

it.each([
  ['a wrong token', { 'x-webhook-token': 'whk_wrong' }],
  ['a token that only begins like it', { 'x-webhook-token': 'whk_righter' }],
  ['no token', {}],
])('the demo’s webhook receiver responds 401 to %s and records it', async (name, headers: Record<string, string>) => {
  expect(await post(headers, JSON.stringify({ taskId: name }))).toBe(401);
  expect((await receiver.deliveryOf(name, signal)).authentic).toBe(false);
});

it('the demo’s webhook receiver responds 401 to a webhook that the service did not sign, even with the right token', async () => {
  const forged = { 'x-webhook-token': 'whk_right', ...sign('{"taskId":"another"}') };
  expect(await post(forged, '{"taskId":"forged"}')).toBe(401);
  expect(await receiver.deliveryOf('forged', signal)).toMatchObject({ authentic: true, signed: false });
});

it('the demo’s webhook receiver responds 400 to a body that is not JSON', async () => {
  expect(await post({ 'x-webhook-token': 'whk_right' }, '{')).toBe(400);
});

it('the demo’s webhook receiver stops waiting when its caller aborts', async () => {
  const stop = new AbortController();
  const waiting = receiver.deliveryOf('never', stop.signal);
  stop.abort();

  await expect(waiting).rejects.toThrow();
});
