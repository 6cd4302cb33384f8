/** Engines that reject, fail, hang or are canceled: the credits are refunded, and the client is notified. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type WebhookReceiver, webhookReceiver } from '../support/webhook-receiver.ts';
import { type BackEnd, newBackEnd } from './back-end.ts';
import { isCapable } from './target.ts';

let ana: BackEnd;
let receiver: WebhookReceiver;

beforeAll(async () => {
  [ana, receiver] = await Promise.all([newBackEnd(50), webhookReceiver()]);
});
afterAll(() => receiver.close());

const hasEngineAndWebhooks = isCapable('offline-engine', 'local-webhooks');

test.runIf(hasEngineAndWebhooks).each([
  ['reject', 'CONTENT_REJECTED'],
  ['fail', 'PROVIDER_ERROR'],
])(
  'with the engine failure %s, the task fails with %s, is refunded, and the webhook reports it',
  async (behavior, code) => {
    const taskId = await ana.speak({ behavior, callbackUrl: receiver.url });
    const task = await ana.ended(taskId);
    expect(task).toMatchObject({ status: 'failed', error: { code }, creditsUsed: 1, creditsRefunded: 1 });
    expect((await ana.ledger())[0]).toEqual([1, 'refund']);
    expect(await ana.balance()).toBe(50);
    const { body } = await eventually('the webhook', () => receiver.of(taskId)[0]);
    expect(JSON.parse(body)).toMatchObject({ event: 'task.failed', taskId, error: { code } });
  },
);

test.runIf(hasEngineAndWebhooks)(
  'a task that is canceled while its engine works ends at once and is refunded once',
  async () => {
    const taskId = await ana.speak({ behavior: 'hang', callbackUrl: receiver.url });
    const { data } = await ana.api.cancelTask({ params: { taskId } });
    expect(data).toMatchObject({ status: 'failed', error: { code: 'CANCELED' }, creditsRefunded: 1 });
    expect(await ana.balance()).toBe(50);
    await expect(ana.api.cancelTask({ params: { taskId } })).rejects.toMatchObject({ code: 'TASK_NOT_CANCELABLE' });
    const { body } = await eventually('the webhook', () => receiver.of(taskId)[0]);
    expect(JSON.parse(body)).toMatchObject({ event: 'task.failed', taskId });
  },
);

test.runIf(isCapable('offline-engine'))(
  'a task is completed by polling the engine if the engine’s callback is lost',
  async () => {
    const taskId = await ana.speak({ behavior: 'lose-callback' });
    // The service waits a minute for a callback before it polls.
    expect(await ana.ended(taskId, 100_000)).toMatchObject({ status: 'completed', creditsUsed: 1 });
  },
);
