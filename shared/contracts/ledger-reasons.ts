/** Why an account's balance changes. */
export const ledgerReasons = ['generation', 'purchase', 'subscription', 'bonus', 'refund', 'adjustment'] as const;
export type LedgerReason = (typeof ledgerReasons)[number];
