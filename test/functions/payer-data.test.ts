/** The payer's data over HTTP: which data the gateway rejects. */
import { beforeEach, expect, test } from 'vitest';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';

const payer = { name: 'Zuleica Canário', taxId: '529.982.247-25', email: 'zuleica@canario.example' };

let account: TestAccount;

const host = await serviceInTests();
beforeEach(async () => {
  account = await host.account();
});

const buy = (body: object, headers: Record<string, string> = {}) =>
  host.call('createCreditOrder', { token: account.token, body: { packId: 'pack-100', ...body }, headers });

test.for([
  [2060, 'payer'],
  [2067, 'payer.taxId'],
] as const)(
  'a payer whom the gateway rejects with code %i gets 400, and the idempotency key can be used again',
  async ([code, field]) => {
    const headers = { 'idempotency-key': 'payer' };
    host.service.payments.outcomes.push({ code });
    const rejected = await buy({ payer }, headers);
    const message = `${field} is rejected by the payment gateway`;
    expect([rejected.status, rejected.body.error]).toMatchObject([400, { code: 'VALIDATION_ERROR', message }]);
    const { orders } = (await host.call('listOrders', { token: account.token })).body.data as { orders: unknown[] };
    expect(orders).toEqual([]);
    expect((await buy({}, headers)).status).toBe(201);
  },
);

test('a credit order whose charge the gateway rejects for a reason other than its payer gets 503', async () => {
  host.service.payments.outcomes.push({ code: 23 });
  expect((await buy({ payer })).status).toBe(503);
});
