/** Subscriptions that are ordered, repeated and read, so that the AWS calls for that are recorded. */
import { expect } from 'vitest';
import { changeAccount } from '../../../shared/domain/accounts/account-subscription.ts';
import type { TestService } from '../../support/test-service.ts';

type Operation = 'createSubscription' | 'getSubscription';
type SwitchOperation = (operationId: Operation, on: boolean) => Promise<void>;

/** Orders and reads a subscription while it awaits payment, and again once it is active. */
export async function subscribe(host: TestService, switchOperation: SwitchOperation): Promise<void> {
  const { accountId, token } = await host.account();
  const call = (operationId: Operation, options: object = {}) => {
    // Catalogs are cached for half a minute: the clock advances so that each call reads the catalog again.
    host.clock.advance(60_000);
    return host.call(operationId, { token, ...options });
  };
  const { catalog } = host.service.context;
  await catalog.change('coupons', { coupons: [{ code: 'ONCE', percentOff: 50, duration: 'once' }] });
  const order = async (coupon: { readonly couponCode?: string } = { couponCode: 'ONCE' }) => {
    const response = await call('createSubscription', {
      body: { planId: 'pro', billingCycle: 'monthly', ...coupon },
      headers: { 'idempotency-key': `subscription ${coupon.couponCode}` },
    });
    expect(response.status, response.text).toBe(201);
    return (response.body.data as { orderId: string }).orderId;
  };
  const orderId = await order();
  // Orders that await payment are counted.
  await order({});
  await switchOperation('createSubscription', false);
  expect(await order()).toBe(orderId);
  await switchOperation('createSubscription', true);
  await call('getSubscription');
  const action = changeAccount(accountId, orderId, { active: 'begins' });
  await host.service.context.table.transact(action ? [action] : []);
  expect((await call('getSubscription')).body.data).toMatchObject({ subscription: { id: orderId } });
}
