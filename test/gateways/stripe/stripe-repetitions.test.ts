/** How the adapter handles objects of Stripe that repeat each other, or lead to themselves. */
import { describe, expect, test } from 'vitest';
import { paidSubscription, servedInTests, serveOnly } from './served-objects.ts';
import { gatewayWith } from './stripe-access.ts';

const server = await servedInTests();

const gateway = () => gatewayWith({ url: server.url });

describe('invoices of one Stripe subscription', () => {
  test('whose payments name the same charges count each charge once, and look up its disputes once', async () => {
    const paid = paidSubscription('1');
    const [payment = { id: 'inpay_1' }] = paid.invoice.payments.data;
    paid.invoice.payments.data = Array.from({ length: 20 }, (_, index) => ({ ...payment, id: `inpay_${index}` }));
    const charges = [1, 2].map((nth) => ({ ...paid.charge, id: `ch_${nth}`, amount_refunded: 7, disputed: true }));
    serveOnly(server, paid);
    const invoices = Array.from({ length: 30 }, (_, index) => ({ ...paid.invoice, id: `in_${index}` }));
    server.lists.set('/v1/invoices', invoices);
    server.lists.set('/v1/charges', charges);
    server.lists.set('/v1/disputes', [{ id: 'dp_1', charge: 'ch_1', status: 'won', amount: 14, currency: 'brl' }]);
    const before = server.requests.length;
    const report = await gateway().read('sub_1');
    expect(report?.subscription?.invoices.map(({ refundedCents }) => refundedCents)).toEqual(invoices.map(() => 14));
    expect(server.requests.slice(before).filter(({ path }) => path === '/v1/disputes')).toHaveLength(2);
  });

  test('with over a hundred disputed charges are unreadable', async () => {
    const paid = paidSubscription('1');
    serveOnly(server, paid);
    const charges = Array.from({ length: 101 }, (_, nth) => ({ ...paid.charge, id: `ch_${nth}`, disputed: true }));
    server.lists.set('/v1/charges', charges);
    server.lists.set('/v1/disputes', []);
    await expect(gateway().read('sub_1')).rejects.toThrow('too many disputed charges');
  });
});

test.for([
  ['in_1', { invoice: { parent: { subscription_details: { subscription: 'in_1' } } } }],
  ['dp_1', { dispute: { charge: 'dp_1' } }],
  ['ch_1', { charge: { payment_intent: 'ch_1' } }],
] as const)(
  'an object of Stripe that leads to itself (%s) is read a few times only, and is unreadable',
  async ([id, changes]) => {
    const paid = paidSubscription('1');
    const { invoice = {}, charge = {}, dispute = {} }: Record<string, object> = changes;
    Object.assign(paid.invoice, invoice);
    Object.assign(paid.charge, charge);
    serveOnly(server, paid);
    server.lists.set('/v1/disputes', [
      { id: 'dp_1', charge: 'ch_1', status: 'won', amount: 14, currency: 'brl', ...dispute },
    ]);
    const before = server.requests.length;
    await expect(gateway().read(id)).rejects.toThrow('objects that lead to no subscription');
    expect(server.requests.length - before).toBe(5);
  },
);
