/** Subscriptions and events of the adapter to Stripe, with the sandbox of its API. */
import { afterAll, describe, expect, test } from 'vitest';
import type { SubscriptionAction } from '../../../fakes/stripe/subscription-actions.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { webhookSecret } from './stripe-access.ts';
import { stripeScene } from './stripe-scene.ts';

const scene = await stripeScene();
afterAll(() => scene.close());

async function readAfter(...actions: readonly SubscriptionAction[]) {
  const { subscriptionId } = await scene.subscribed();
  for (const action of actions) scene.fake.do(subscriptionId, action);
  return (await scene.gateway().read(subscriptionId))?.subscription;
}

describe('a Stripe subscription', () => {
  test('that is paid is reported with its period and payment', async () => {
    const before = Math.floor(systemClock.now() / 1000) * 1000;
    const { checkoutId, orderId } = await scene.subscribed();
    const report = await scene.gateway().read(checkoutId);
    expect(report).toEqual({
      subject: checkoutId,
      orderId,
      createdAt: expect.any(Number),
      checkout: 'completed',
      subscription: {
        subscriptionId: expect.stringMatching(/^sub_/),
        status: 'active',
        isEnding: false,
        invoices: [
          {
            invoiceId: expect.stringMatching(/^in_/),
            cents: 2990,
            currency: 'BRL',
            periodStart: expect.any(Number),
            periodEnd: expect.any(Number),
            paidAt: expect.any(Number),
            refundedCents: 0,
            isRefunded: false,
            isDisputed: false,
          },
        ],
      },
    });
    const [invoice] = report?.subscription?.invoices ?? [];
    expect(invoice?.periodStart).toBeGreaterThanOrEqual(before);
    const days = ((invoice?.periodEnd ?? 0) - (invoice?.periodStart ?? 0)) / 86_400_000;
    expect([28, 29, 30, 31]).toContain(days);
  });

  test('that is not paid yet is reported with only its checkout', async () => {
    const { checkoutId, orderId } = await scene.made();
    expect(await scene.gateway().read(checkoutId)).toEqual({
      subject: checkoutId,
      orderId,
      createdAt: expect.any(Number),
      checkout: 'open',
    });
    expect(scene.fake.pay(checkoutId, '4000000000000002')).toHaveProperty('declineCode');
    expect(await scene.gateway().read(checkoutId)).toMatchObject({ checkout: 'open' });
  });

  test.for<[SubscriptionAction[], object]>([
    [['renew'], { status: 'active', invoices: [{ cents: 2990 }, { cents: 2990 }] }],
    [['fail-renewal'], { status: 'past_due', invoices: [{ cents: 2990 }] }],
    [['fail-renewal', 'pay-invoice'], { status: 'active', invoices: [{}, { cents: 2990 }] }],
    [['fail-renewal', 'give-up'], { status: 'canceled', invoices: [{ cents: 2990 }] }],
    [['cancel-at-period-end'], { status: 'active', isEnding: true }],
    [['cancel-at-period-end', 'resume'], { status: 'active', isEnding: false }],
    [['cancel-now'], { status: 'canceled', isEnding: false }],
    [['refund-part'], { status: 'active', invoices: [{ refundedCents: 100, isRefunded: false }] }],
    [['refund'], { invoices: [{ refundedCents: 2990, isRefunded: true }] }],
    [['renew', 'refund'], { invoices: [{ isRefunded: false }, { isRefunded: true }] }],
    [['dispute'], { invoices: [{ refundedCents: 0, isRefunded: false, isDisputed: true }] }],
    [['dispute', 'win-dispute'], { invoices: [{ refundedCents: 0, isRefunded: false, isDisputed: false }] }],
    [['dispute', 'lose-dispute'], { invoices: [{ refundedCents: 2990, isRefunded: true }] }],
  ])('is reported with its new status and invoices after the actions %j', async ([actions, expected]) => {
    expect(await readAfter(...actions)).toMatchObject(expected);
  });

  test('is reported identically whichever of its Stripe objects is read', async () => {
    const { checkoutId, subscriptionId } = await scene.subscribed();
    scene.fake.do(subscriptionId, 'dispute');
    scene.fake.do(subscriptionId, 'lose-dispute');
    const { data: invoices } = await scene.client.invoices.list({
      subscription: subscriptionId,
      expand: ['data.payments'],
    });
    const { payment_intent: intent } = invoices[0]?.payments?.data[0]?.payment ?? {};
    const payment = typeof intent === 'string' ? intent : '';
    const { data: charges } = await scene.client.charges.list({ payment_intent: payment });
    const { data: disputes } = await scene.client.disputes.list({ payment_intent: payment });
    const report = await scene.gateway().read(checkoutId);
    for (const id of [subscriptionId, invoices[0]?.id, payment, charges[0]?.id, disputes[0]?.id]) {
      expect(await scene.gateway().read(id ?? '')).toEqual(report);
    }
  });

  test.for(['now', 'period-end'] as const)(
    'can be canceled (%s), and once it is canceled, canceling it again has no effect',
    async (when) => {
      const { subscriptionId } = await scene.subscribed();
      await scene.gateway().cancel(subscriptionId, when);
      const { data } = await scene.client.subscriptions.list({ status: 'all', limit: 100 });
      expect(data.find(({ id }) => id === subscriptionId)).toMatchObject(
        when === 'now' ? { status: 'canceled' } : { status: 'active', cancel_at_period_end: true },
      );
      await scene.gateway().cancel(subscriptionId, 'now');
      await scene.gateway().cancel(subscriptionId, 'now');
      await scene.gateway().cancel(subscriptionId, 'period-end');
      await scene.gateway().cancel('sub_none', when);
      expect((await scene.gateway().read(subscriptionId))?.subscription?.status).toBe('canceled');
    },
  );

  test('whose cancellation fails does not count as canceled', async () => {
    const { subscriptionId } = await scene.subscribed();
    scene.fake.outcomes.push(500);
    await expect(scene.gateway().cancel(subscriptionId, 'now')).rejects.toThrow('500');
    expect((await scene.gateway().read(subscriptionId))?.subscription?.status).toBe('active');
  });

  test('of another stage belongs to no order, and is not found by a search for changed subscriptions', async () => {
    const at = systemClock.now();
    const [open, paid] = [await scene.made(), await scene.subscribed()];
    const other = scene.gateway({ stageName: 'another' });
    for (const subject of [open.checkoutId, paid.checkoutId, paid.subscriptionId]) {
      expect(await other.read(subject)).toMatchObject({ orderId: undefined });
    }
    const found = async (one: typeof other) =>
      (await Array.fromAsync(one.changedSince(at))).map(({ subject }) => subject);
    expect(await found(scene.gateway())).toEqual(expect.arrayContaining([open.checkoutId, paid.checkoutId]));
    expect(await found(other)).toEqual([]);
  });
});

describe('an event from the Stripe sandbox', () => {
  test('is accepted by the service and by Stripe’s library, and identifies the subscription to read', async () => {
    scene.notifications.length = 0;
    const { checkoutId, subscriptionId, orderId } = await scene.subscribed();
    for (const action of ['refund', 'fail-renewal', 'cancel-now'] as const) scene.fake.do(subscriptionId, action);
    await scene.fake.sent();
    const events = await Promise.all(
      scene.notifications.map(async (one) => {
        const { type } = scene.client.webhooks.constructEvent(
          one.body,
          one.headers['stripe-signature'] ?? '',
          webhookSecret,
        );
        return [type, await scene.gateway().readEvent(one)] as const;
      }),
    );
    const read = new Map<string, string | undefined>();
    for (const [type, event] of events) {
      const report = typeof event === 'object' ? await scene.gateway().read(event.subject) : undefined;
      read.set(type, report?.subject);
      expect([undefined, orderId]).toContain(report?.orderId);
    }
    const handled = [...read].flatMap(([type, subject]) => (subject === checkoutId ? [type] : []));
    expect(handled.toSorted()).toEqual([
      'charge.refunded',
      'checkout.session.completed',
      'customer.subscription.deleted',
      'customer.subscription.updated',
      'invoice.paid',
      'invoice.payment_failed',
    ]);
    expect(events.filter(([, event]) => event === undefined)).toEqual([]);
  });
});
