/** Charges that a gateway creates differently than requested, over HTTP. */
import { afterAll, expect, test } from 'vitest';
import { settingVariables } from '../../shared/platform/settings.ts';
import { testService } from '../support/test-service.ts';
import { proxy } from '../verification/faults/proxy.ts';
import { creditOrderScene } from './credit-order-scene.ts';

let wrong: object = {};

const gateway = await proxy(async ({ forward, incoming }) => {
  const { status, headers = {}, body = '' } = await forward(host.service.payments.url);
  if (incoming.method !== 'POST') return { status, headers, body };
  const changed = JSON.stringify({ ...JSON.parse(String(body)), ...wrong });
  return { status, headers: { ...headers, 'content-length': Buffer.byteLength(changed) }, body: changed };
});
const host = await testService({ environment: { [settingVariables.mercadoPagoUrl]: gateway.url } });
afterAll(async () => {
  await host.close();
  await gateway.close();
});

test.for<[string, object]>([
  ['for a different amount', { transaction_amount: 1 }],
  ['in a different currency', { currency_id: 'USD' }],
])('a charge %s than ordered is canceled, and the order request gets 503 and can be repeated', async ([, given]) => {
  const account = await host.account();
  const { buy } = creditOrderScene(host, account);
  for (const headers of [{}, { 'Idempotency-Key': 'a-key' }]) {
    wrong = given;
    const made = await buy(undefined, headers);
    expect([made.status, made.body.error?.code], made.text).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect(made.text).not.toContain('Idempotency-Key');
    expect(host.service.payments.payments().at(-1)?.status).toBe('cancelled');
    const { orders } = (await host.call('listOrders', { token: account.token })).body.data as { orders: unknown[] };
    expect(orders).toEqual([]);
  }
  wrong = {};
  expect((await buy(undefined, { 'Idempotency-Key': 'a-key' })).status).toBe(201);
});
