/** Everything that the sandbox stores: Stripe's objects, and additional data about some of them. */
import { randomBytes } from 'node:crypto';
import { type SavedRecords, savedRecords } from '../saved-records.ts';
import type { StripeObjects } from './stripe-objects.ts';

/** The subscription that a completed checkout will create. */
export interface CheckoutDetails {
  readonly object: 'sandbox.checkout';
  readonly id: `sandbox.${string}`;
  readonly planName: string;
  readonly interval: 'month' | 'year';
  readonly couponId: string | undefined;
  readonly metadata: Record<string, string>;
}

export interface SubscriptionDetails {
  readonly object: 'sandbox.subscription';
  readonly id: `sandbox.${string}`;
  /** By how many milliseconds the subscription's clock is ahead of the sandbox's. */
  readonly aheadMs: number;
  /** The number of the card that is charged for renewals. */
  readonly card: string;
  readonly planName: string;
  /** The coupon that reduces the next invoice. */
  readonly couponId?: string | undefined;
}

/** A request with an idempotency key, and the response that a repeated request gets. */
export interface AnsweredRequest {
  readonly object: 'sandbox.request';
  readonly id: `sandbox.${string}`;
  readonly path: string;
  readonly form: string;
  readonly status: number;
  readonly body: unknown;
}

/** The sandbox's port, so that links to it survive a restart. */
export interface Address {
  readonly object: 'sandbox.address';
  readonly id: 'sandbox.address';
  readonly port: number;
}

interface Kinds extends StripeObjects {
  'sandbox.checkout': CheckoutDetails;
  'sandbox.subscription': SubscriptionDetails;
  'sandbox.request': AnsweredRequest;
  'sandbox.address': Address;
}

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;

export interface StripeRecords {
  find<Kind extends keyof Kinds>(kind: Kind, id: string): Kinds[Kind] | undefined;
  /** All objects of a kind, newest first. */
  all<Kind extends keyof Kinds>(kind: Kind): Kinds[Kind][];
  /** Finds any of Stripe's objects by id. */
  named(id: string): object | undefined;
  put<Record extends Kinds[keyof Kinds]>(record: Record): Record;
  close(): void;
}

export function stripeRecords(path: string | undefined): StripeRecords {
  const saved: SavedRecords<Kinds[keyof Kinds]> = savedRecords(path);
  const isOf = <Kind extends keyof Kinds>(kind: Kind, record: Kinds[keyof Kinds] | undefined): record is Kinds[Kind] =>
    record?.object === kind;
  return {
    find(kind, id) {
      const record = saved.byId.get(id);
      return isOf(kind, record) ? record : undefined;
    },
    all: (kind) => [...saved.byId.values()].filter((record) => isOf(kind, record)).toReversed(),
    named: (id) => (id.startsWith('sandbox.') ? undefined : saved.byId.get(id)),
    put(record) {
      saved.put(record.id, record);
      return record;
    },
    close: () => saved.close(),
  };
}
