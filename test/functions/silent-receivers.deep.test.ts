/** Receivers that never respond: limits on deliveries keep them from delaying other webhooks. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queues } from '../../infra/hosting.ts';
import { deliveriesPerAccount } from '../../shared/domain/webhooks/delivery-slots.ts';
import { eventually } from '../support/eventually.ts';
import { type TestService, testService } from '../support/test-service.ts';
import { webhookReceiver } from '../support/webhook-receiver.ts';

let host: TestService;

beforeAll(async () => {
  host = await testService();
});
afterAll(() => host.close());

test('an account whose webhook receiver never responds occupies few workers and delays no other account', async () => {
  const account = await host.account();
  const attacker = await host.account();
  const tokens = [attacker.token, (await host.token(attacker.accountId)).token];
  const silent = await webhookReceiver();
  let [open, mostOpen] = [0, 0];
  silent.respond((response) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.once('close', () => {
      open -= 1;
    });
  });
  host.engine.play({});
  const canceled: string[] = [];
  for (let pair = 0; pair < queues.webhooks.concurrency + 10; pair += 1) {
    const token = tokens[pair % tokens.length] ?? attacker.token;
    const taskId = await host.speak(token, { text: 'Uma frase.', voice: 'lily', callbackUrl: silent.url });
    canceled.push(taskId);
    await host.call('cancelTask', { token, params: { taskId } });
  }
  await eventually('deliveries up to the limit', () => mostOpen >= deliveriesPerAccount || undefined);

  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  const order = { text: 'Uma frase.', voice: 'lily', callbackUrl: host.receiver.url };
  for (const taskId of [await host.speak(account.token, order), await host.speak(account.token, order)]) {
    const webhook = await eventually('the webhook', async () => {
      const { webhook } = await host.task(account.token, taskId);
      return webhook?.status === 'pending' ? undefined : webhook;
    });
    expect(webhook).toMatchObject({ status: 'delivered', attempts: [{ error: null }] });
  }
  const { tasks } = host.service.context;
  const found = await Promise.all(canceled.map((taskId) => tasks.findWithDeliveries(taskId)));
  expect(found.filter((one) => one?.attempts.length === 0).length).toBeGreaterThan(0);
  expect(mostOpen).toBe(deliveriesPerAccount);
  await silent.close();
});
