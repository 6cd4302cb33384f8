/** All that the sandbox remembers: Stripe's objects, and what only the sandbox knows of some of them. */
import { randomBytes } from 'node:crypto';
import { type SavedRecords, savedRecords } from '../saved-records.ts';
import type { StripeObjects } from './stripe-objects.ts';

/** What will be subscribed to when a checkout is completed. */
export interface CheckoutDetails {
  readonly object: 'sandbox.checkout';
  readonly id: `sandbox.${string}`;
  readonly priceId: string;
  readonly quantity: number;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface SubscriptionDetails {
  readonly object: 'sandbox.subscription';
  readonly id: `sandbox.${string}`;
  /** How far its clock is ahead. */
  readonly aheadMs: number;
  /** The number of the card that renewals are charged to. */
  readonly card: string;
}

/** A request with an idempotency key, and the response that a repeat gets. */
export interface AnsweredRequest {
  readonly object: 'sandbox.request';
  readonly id: `sandbox.${string}`;
  readonly path: string;
  readonly form: string;
  readonly status: number;
  readonly body: unknown;
}

/** Where the sandbox listened, so that links to it survive a restart. */
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
  /** Newest first. */
  all<Kind extends keyof Kinds>(kind: Kind): Kinds[Kind][];
  /** Any of Stripe's objects. */
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
