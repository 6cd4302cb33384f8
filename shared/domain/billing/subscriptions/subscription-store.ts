/** Stores subscriptions and their paid invoices. */
import * as z from 'zod';
import { billingCycles } from '../../../contracts/billing-cycles.ts';
import { features } from '../../../contracts/features.ts';
import { once } from '../../../contracts/once.ts';
import type { Action, Item, Table } from '../../../platform/dynamo-table.ts';
import { findableBy } from '../../handle-keys.ts';
import { checkTime, indexes, openSubscriptions } from '../../index-keys.ts';
import { expiryAttribute, invoiceIdOf, invoiceKey, subscriptionKey, subscriptionOf } from '../../keys.ts';
import { readableItems } from '../../readable-rows.ts';
import { parseRow } from '../../stored-row.ts';
import { walkDue } from '../../walk-index.ts';
import { type Invoice, type Subscription, storedSubscriptionStatuses } from './subscription.ts';

interface Listing {
  readonly max?: number;
  /** Whether an unreadable subscription throws, as decisions about money require; otherwise it is left out. */
  readonly isStrict?: boolean;
}

export interface SubscriptionStore {
  find(accountId: string, subscriptionId: string): Promise<Subscription | undefined>;
  /**
   * An account's subscriptions, including abandoned ones, newest first; up to a limit far above what an account creates
   * in a month.
   */
  newestFirst(accountId: string, options?: Listing): AsyncGenerator<Subscription>;
  /** The paid invoices of a subscription. */
  invoices(subscriptionId: string): Promise<Invoice[]>;
  /** The subscriptions that are due for a check, the longest overdue first. */
  due(now: number): AsyncGenerator<Pick<Subscription, 'accountId' | 'subscriptionId'>>;
}

const SubscriptionRow = once(() =>
  z.object({
    version: z.int(),
    status: z.enum(storedSubscriptionStatuses),
    planId: z.string(),
    planName: z.string(),
    billingCycle: z.enum(billingCycles),
    creditsPerMonth: z.int().min(1),
    features: z.array(z.enum(features)),
    cents: z.int().min(0),
    discountedCents: z.exactOptional(z.int().min(0)),
    gateway: z.string(),
    checkoutId: z.string(),
    gatewayId: z.exactOptional(z.string()),
    payableUntil: z.int(),
    createdAt: z.int(),
    currentPeriodStart: z.exactOptional(z.int()),
    currentPeriodEnd: z.exactOptional(z.int()),
    isEnding: z.exactOptional(z.boolean()),
    canceledAt: z.exactOptional(z.int()),
    lapsedAt: z.optional(z.int()),
    isClosed: z.optional(z.boolean()),
    checkAt: z.optional(z.int()),
    deleteAt: z.optional(z.int()),
  } satisfies Record<Exclude<keyof Subscription, 'accountId' | 'subscriptionId'>, z.ZodType>),
);

const InvoiceRow = once(() =>
  z.object({
    cents: z.int().min(0),
    periodStart: z.int(),
    periodEnd: z.int(),
    paidAt: z.int(),
    granted: z.int().min(0),
    refundedCents: z.int().min(0),
    refundedAt: z.optional(z.int()),
    isDisputed: z.optional(z.boolean()),
    disputes: z.optional(z.int()),
    wins: z.optional(z.int()),
    failures: z.optional(z.int()),
  } satisfies Record<Exclude<keyof Invoice, 'invoiceId'>, z.ZodType>),
);

export const toSubscription = (item: Item): Subscription => ({
  ...subscriptionOf(item),
  ...parseRow('subscription', SubscriptionRow(), item),
});

export const toInvoice = (item: Item): Invoice => ({
  invoiceId: invoiceIdOf(item),
  ...parseRow('invoice', InvoiceRow(), item),
});

/** The attributes by which operators find a subscription; its order has those of its checkout. */
export const subscriptionHandles = ({ gatewayId }: { readonly gatewayId?: string | undefined }): Item =>
  gatewayId === undefined ? {} : findableBy('byHandle', gatewayId);

export const invoiceHandles = ({ invoiceId }: Pick<Invoice, 'invoiceId'>): Item => findableBy('byHandle', invoiceId);

/**
 * Attributes derived for indexes and expiry: if undefined, the subscription is not in the index, and is kept forever.
 */
const derived = ({ checkAt, deleteAt, gatewayId }: Subscription) => ({
  ...subscriptionHandles({ gatewayId }),
  [expiryAttribute]: deleteAt === undefined ? undefined : Math.ceil(deleteAt / 1000),
  [indexes.open.pk]: checkAt === undefined ? undefined : openSubscriptions,
  [indexes.open.sk]: checkAt === undefined ? undefined : checkTime(checkAt),
});

export const insertSubscription = (subscription: Subscription): Action => {
  const { accountId, subscriptionId, ...row } = subscription;
  return {
    Put: {
      Item: { ...subscriptionKey(accountId, subscriptionId), ...row, ...derived(subscription) },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
};

/** An update that sets the attributes with a value and removes the others. */
function writingAll(attributes: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(attributes).map(([name, value], index) => ({ name, value, index }));
  const [set, removed] = [
    entries.filter(({ value }) => value !== undefined),
    entries.filter(({ value }) => value === undefined),
  ];
  const clauses = [
    set.length > 0 && `SET ${set.map(({ index }) => `#a${index} = :a${index}`).join(', ')}`,
    removed.length > 0 && `REMOVE ${removed.map(({ index }) => `#a${index}`).join(', ')}`,
  ];
  return {
    UpdateExpression: clauses.filter((clause) => clause !== false).join(' '),
    ExpressionAttributeNames: Object.fromEntries(entries.map(({ name, index }) => [`#a${index}`, name])),
    ExpressionAttributeValues: Object.fromEntries(set.map(({ value, index }) => [`:a${index}`, value])),
  };
}

/** Saves a changed subscription, unless its version has changed since it was read. */
export function saveSubscription(subscription: Subscription): Action {
  const { accountId, subscriptionId, version, ...row } = subscription;
  const absent = Object.fromEntries(
    SubscriptionRow()
      .keyof()
      .options.map((name) => [name, undefined]),
  );
  const update = writingAll({ ...absent, ...row, version: version + 1, ...derived(subscription) });
  return {
    Update: {
      Key: subscriptionKey(accountId, subscriptionId),
      ...update,
      ConditionExpression: '#version = :version',
      ExpressionAttributeNames: { ...update.ExpressionAttributeNames, '#version': 'version' },
      ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':version': version },
    },
  };
}

/** Makes a pending subscription due at once. */
export const makeDue = (
  { accountId, subscriptionId }: Pick<Subscription, 'accountId' | 'subscriptionId'>,
  now: number,
) => ({
  Key: subscriptionKey(accountId, subscriptionId),
  UpdateExpression: 'SET checkAt = :now, #openSk = :time',
  ConditionExpression: '#status = :pending',
  ExpressionAttributeNames: { '#status': 'status', '#openSk': indexes.open.sk },
  ExpressionAttributeValues: { ':now': now, ':time': checkTime(now), ':pending': 'pending' },
});

/** Moves a subscription to the end of the queue of due ones, without changing the time since which it has been due. */
export const remainDue = (
  { accountId, subscriptionId }: Pick<Subscription, 'accountId' | 'subscriptionId'>,
  since: number | undefined,
  now: number,
) => ({
  Key: subscriptionKey(accountId, subscriptionId),
  UpdateExpression: `SET #openSk = :time${since === undefined ? '' : ', checkAt = :since'}`,
  ConditionExpression: 'attribute_exists(#openSk)',
  ExpressionAttributeNames: { '#openSk': indexes.open.sk },
  ExpressionAttributeValues: { ':time': checkTime(now), ...(since !== undefined && { ':since': since }) },
});

/** Inserts a paid invoice, unless it is already recorded, so that each grants its credits once. */
export const insertInvoice = (subscriptionId: string, { invoiceId, ...invoice }: Invoice): Action => ({
  Put: {
    Item: { ...invoiceKey(subscriptionId, invoiceId), ...invoice, ...invoiceHandles({ invoiceId }) },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** Updates an invoice, unless it has granted another month's credits since it was read. */
export const changeInvoice = (
  subscriptionId: string,
  { invoiceId, granted }: Invoice,
  { invoiceId: _same, ...change }: Invoice,
): Action => {
  const absent = { refundedAt: undefined, isDisputed: undefined };
  const update = writingAll({ ...absent, ...change });
  return {
    Update: {
      Key: invoiceKey(subscriptionId, invoiceId),
      ...update,
      ConditionExpression: '#granted = :granted',
      ExpressionAttributeNames: { ...update.ExpressionAttributeNames, '#granted': 'granted' },
      ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':granted': granted },
    },
  };
};

export function subscriptionStore(table: Table): SubscriptionStore {
  const partition = (pk: string) => ({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  });
  return {
    async find(accountId, subscriptionId) {
      const item = await table.get(subscriptionKey(accountId, subscriptionId));
      return item && toSubscription(item);
    },
    async *newestFirst(accountId, { max = 500, isStrict = false } = {}) {
      const query = { ...partition(subscriptionKey(accountId, '').pk), ScanIndexForward: false };
      let left = max;
      for await (const item of table.walk(query)) {
        if (left === 0) return;
        left -= 1;
        yield* isStrict ? [toSubscription(item)] : readableItems(table, 'subscription', [item], toSubscription);
      }
    },
    async invoices(subscriptionId) {
      return (await Array.fromAsync(table.walk(partition(invoiceKey(subscriptionId, '').pk)))).map(toInvoice);
    },
    async *due(now) {
      for await (const key of walkDue(table, openSubscriptions, checkTime(now))) yield subscriptionOf(key);
    },
  };
}
