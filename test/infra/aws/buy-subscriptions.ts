/** Subscriptions in every state, so that the AWS calls for creating, renewing and ending them are recorded. */
import { expect } from 'vitest';
import { orderKey, redemptionKey } from '../../../shared/domain/keys.ts';
import { subscriptionScene } from '../../functions/subscription-scene.ts';
import { checkoutEvent, sendEvent, signEvent } from '../../support/signed-subscription-event.ts';
import type { TestAccount, TestService } from '../../support/test-service.ts';

/** How the service learns of changes at the gateway. */
type Learn = (eventId: string) => Promise<unknown>;

const couponCode = 'ONCE';

/** An order that has lost its redemption of a coupon regains it when it is paid. */
async function loseCoupon({ table }: TestService['service']['context'], accountId: string, orderId: string) {
  await table.update({
    Key: orderKey(orderId),
    UpdateExpression: 'SET couponCode = :code',
    ExpressionAttributeValues: { ':code': couponCode },
  });
  await table.update({ Key: redemptionKey(couponCode, accountId), UpdateExpression: 'REMOVE orderId' });
}

/** An event that cannot be processed at once is enqueued. */
export async function buySubscriptions(host: TestService, account: Pick<TestAccount, 'accountId'>): Promise<void> {
  const gateway = host.service.subscriptions;
  const { change, find, pay, standing, subscribe } = subscriptionScene(host, account);
  gateway.events = 'lost';

  async function live(learnBy: (checkout: { orderId: string; checkoutId: string }) => Learn): Promise<void> {
    const orderId = await subscribe();
    await loseCoupon(host.service.context, account.accountId, orderId);
    const { checkoutId } = await find(orderId);
    const learn = learnBy({ orderId, checkoutId });
    await pay(orderId);
    await learn(`evt_paid${checkoutId}`);
    expect((await standing()).status).toBe('active');
    await change(orderId, 'refund-part');
    await learn(`evt_part${checkoutId}`);
    await change(orderId, 'refund');
    await learn(`evt_refund${checkoutId}`);
    expect((await standing()).status).toBe('canceled');
  }

  await host.service.invoke('reconcileSubscriptions', {});
  await live(({ orderId, checkoutId }) => async (eventId) => {
    const body = checkoutEvent({ eventId, orderId, checkoutId });
    expect((await sendEvent(host, signEvent(host, body))).status).toBe(200);
  });
  await live(({ checkoutId }) => (eventId) => {
    const body = JSON.stringify({ gateway: 'stripe', eventId, subject: checkoutId });
    return host.service.invoke('processPaymentEvent', { Records: [{ messageId: eventId, body }] });
  });
  await live(() => () => host.service.invoke('reconcileSubscriptions', {}));

  const orderId = await subscribe();
  const { checkoutId } = await find(orderId);
  gateway.outcomes.push(500);
  const body = checkoutEvent({ eventId: 'evt_queued', orderId, checkoutId });
  expect((await sendEvent(host, signEvent(host, body))).status).toBe(200);
}
