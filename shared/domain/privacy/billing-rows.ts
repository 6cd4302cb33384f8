/** The register of rows about payments. Payers' names and tax ids are passed to the gateway and never stored. */
import { caseKey, couponKey, eventKey, invoiceKey, orderKey, subscriptionKey } from '../keys.ts';
import { facts, keysLike, links, type RowKind, wholePartition } from './data-kind.ts';

/** What tax law requires of payments: five years in Brazil (CTN article 173), longer elsewhere. */
const forTaxes = {
  ground: 'legal obligation',
  kept: 'without limit; after the closure without a name',
  erasure: 'kept',
} as const;

export const billingRows = {
  order: {
    ...forTaxes,
    ...keysLike(orderKey('')),
    what: 'Order of a credit pack or a subscription',
    why: 'to account for payments',
    fields: {
      ...links('accountId chargeId checkoutId checkoutUrl qrCode qrCodeBase64 paidBy'),
      ...facts('type status cents credits gateway payableUntil createdAt paidAt isLate canceledAt refundedAt'),
      ...facts('packId packName planId planName billingCycle couponCode'),
    },
  },
  subscription: {
    ...forTaxes,
    ...keysLike(subscriptionKey('', '')),
    what: 'Subscription and its periods',
    why: 'to account for payments',
    fields: {
      ...links('checkoutId gatewayId'),
      ...facts('version status planId planName billingCycle creditsPerMonth features cents discountedCents gateway'),
      ...facts('payableUntil createdAt currentPeriodStart currentPeriodEnd isEnding canceledAt lapsedAt isClosed'),
      ...facts('checkAt deleteAt expiresAt'),
    },
  },
  invoice: {
    ...forTaxes,
    ...keysLike(invoiceKey('', '')),
    what: 'Paid invoice of a subscription',
    why: 'to account for payments',
    fields: facts(
      'cents periodStart periodEnd paidAt granted refundedCents refundedAt isDisputed disputes wins failures',
    ),
  },
  case: {
    ...forTaxes,
    ...keysLike(caseKey('')),
    what: 'Payment that needs a decision of an operator',
    why: 'to settle disputes',
    fields: {
      ...links('accountId orderId paymentId'),
      ...facts('kind gateway cents currency missingCredits createdAt reportedAt endedAt resolvedAt resolution'),
    },
  },
  coupon: {
    ...forTaxes,
    ...wholePartition(couponKey('')),
    what: 'How often a coupon was redeemed, and by which orders',
    why: 'to redeem it once per account',
    fields: { ...links('orderId'), ...facts('used') },
  },
  paymentEvent: {
    ...keysLike(eventKey('', '', '')),
    what: 'Id of a payment event that was processed',
    why: 'to process it once',
    ground: 'legitimate interest',
    kept: '90 days',
    erasure: 'expires',
    fields: facts('at expiresAt'),
  },
} as const satisfies Readonly<Record<string, RowKind>>;
