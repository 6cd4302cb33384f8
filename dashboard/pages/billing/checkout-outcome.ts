/** What became of a checkout that somebody completed, as far as it is known. */

/** How long its confirmation is waited for. */
export const confirmationMs = 120_000;

type CheckoutOutcome = 'subscribed' | 'other' | 'waiting' | 'unconfirmed';

export type CheckedSubscription = { readonly id: string; readonly status: string } | null | undefined;

interface Known {
  readonly subscription: CheckedSubscription;
  /** What the checkout paid for, if its address says so. */
  readonly orderId: string | undefined;
  /** Whether {@link confirmationMs} are over. */
  readonly isLate: boolean;
}

export function checkoutOutcome({ subscription, orderId, isLate }: Known): CheckoutOutcome {
  if (subscription?.status !== 'active') return isLate ? 'unconfirmed' : 'waiting';
  return orderId === undefined || subscription.id === orderId ? 'subscribed' : 'other';
}
