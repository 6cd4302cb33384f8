/** Actions of a subscriber, a bank or time on a subscription: the buttons of its page. */
import { chargeOf, invoicesOf } from './invoices.ts';
import { closeDispute, dispute, refund } from './refunds.ts';
import type { Charge } from './stripe-objects.ts';
import type { StripeWorld } from './stripe-world.ts';
import { advance, cancelAtPeriodEnd, cancelNow, giveUp, notifyOf, payOpenInvoice, renew } from './subscriptions.ts';

type Act = (world: StripeWorld, id: string, days: number) => unknown;

function latestCharge(world: StripeWorld, id: string): Charge | undefined {
  const charges = invoicesOf(world, id).map((invoice) => chargeOf(world, invoice.id));
  return charges.find((charge) => charge !== undefined);
}

const toLatestCharge =
  (act: (world: StripeWorld, charge: Charge) => unknown): Act =>
  (world, id) => {
    const charge = latestCharge(world, id);
    if (charge) act(world, charge);
  };

const acts = {
  renew: (world, id) => renew(world, id),
  'fail-renewal': (world, id) => renew(world, id, 'fail'),
  'pay-invoice': payOpenInvoice,
  'give-up': giveUp,
  'cancel-now': cancelNow,
  'cancel-at-period-end': (world, id) => cancelAtPeriodEnd(world, id, true),
  resume: (world, id) => cancelAtPeriodEnd(world, id, false),
  refund: toLatestCharge((world, charge) => refund(world, charge)),
  'refund-part': toLatestCharge((world, charge) => refund(world, charge, 100)),
  dispute: toLatestCharge(dispute),
  'lose-dispute': toLatestCharge((world, charge) => closeDispute(world, charge, 'lost')),
  'win-dispute': toLatestCharge((world, charge) => closeDispute(world, charge, 'won')),
  advance,
  notify: notifyOf,
} satisfies Record<string, Act>;

export type SubscriptionAction = keyof typeof acts;

export const subscriptionActions = Object.keys(acts) as SubscriptionAction[];

/** Performs an action. @throws {StripeFault} if it is not possible in the subscription's state */
export function doToSubscription(world: StripeWorld, id: string, action: SubscriptionAction, days = 0): void {
  const act: Act = acts[action];
  act(world, id, days);
}
