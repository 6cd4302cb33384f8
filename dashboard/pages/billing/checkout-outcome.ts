/** The outcome of a completed checkout, as far as it is known. */

/** How long to wait for the confirmation. */
export const confirmationMs = 120_000;

type CheckoutOutcome = 'subscribed' | 'other' | 'waiting' | 'unconfirmed';

export type CheckedSubscription = { readonly id: string; readonly status: string } | null | undefined;

interface Known {
  readonly subscription: CheckedSubscription;
  /** The order that the checkout pays for, if the URL names it. */
  readonly orderId: string | undefined;
  /** Whether {@link confirmationMs} have passed. */
  readonly isLate: boolean;
}

export function checkoutOutcome({ subscription, orderId, isLate }: Known): CheckoutOutcome {
  if (subscription?.status !== 'active') return isLate ? 'unconfirmed' : 'waiting';
  return orderId === undefined || subscription.id === orderId ? 'subscribed' : 'other';
}
