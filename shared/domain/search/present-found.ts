/** What the search shows of a row: enough to tell several results apart, and the id by which commands show the rest. */
import { dayAt, timestamp } from '../../platform/clock.ts';
import type { Item } from '../../platform/dynamo-table.ts';
import { timeOfId } from '../../platform/ids.ts';
import { toAccount } from '../accounts/account-store.ts';
import { toCase } from '../billing/cases/case-store.ts';
import { toOrder } from '../billing/orders/order-store.ts';
import { endsWithPeriod, type Subscription } from '../billing/subscriptions/subscription.ts';
import { toSubscription } from '../billing/subscriptions/subscription-store.ts';
import type { FindableKind } from '../handle-keys.ts';
import { toConnection } from '../piloto/pages/connection-store.ts';
import { isDeleted } from '../tasks/deleted-task.ts';
import { toTask } from '../tasks/task-item.ts';
import { isTestAccount } from '../test-account.ts';
import { parseToken, toToken } from '../tokens/admit-token.ts';
import { tokenStatus } from '../tokens/token.ts';

/** The kinds of rows that are shown as results; rows of other kinds only lead to one of these. */
export type ThingKind = Exclude<FindableKind, 'invoice' | 'page' | 'tokenHandle'>;

export interface Thing {
  readonly kind: ThingKind;
  readonly id: string;
  readonly state: string;
  readonly about: string;
  readonly createdAt: string;
  /** Absent for a case about a payment without an order. */
  readonly accountId: string | undefined;
}

type Described = Omit<Thing, 'kind' | 'createdAt'> & { readonly at: number };

const joined = (...parts: readonly (string | number | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(', ');

const money = (cents: number, currency = 'BRL'): string => `${currency} ${(cents / 100).toFixed(2)}`;

/** What happens at the end of the time that was paid for; undefined before the first payment. */
const endOf = (subscription: Subscription): string | undefined =>
  subscription.currentPeriodEnd === undefined
    ? undefined
    : `${endsWithPeriod(subscription) ? 'ends' : 'renews'} on ${dayAt(subscription.currentPeriodEnd)}`;

const descriptions: Readonly<Record<ThingKind, (row: Item, now: number) => Described | undefined>> = {
  account(row) {
    const { accountId, balance, createdAt: at, planId } = toAccount(row);
    const state = isTestAccount(accountId) ? 'test' : (planId ?? 'no plan');
    return { id: accountId, state, about: `balance ${balance}`, at, accountId };
  },
  case(row) {
    const { accountId, caseId, cents, createdAt: at, currency, kind, orderId, resolvedAt } = toCase(row);
    const state = resolvedAt === undefined ? 'open' : 'resolved';
    return { id: caseId, state, about: joined(kind, money(cents, currency), `order ${orderId}`), at, accountId };
  },
  connection(row) {
    const { accountId, channel, connectedAt: at, name, state, username } = toConnection(row);
    return { id: channel, state, about: joined(name, username === null ? undefined : `@${username}`), at, accountId };
  },
  order(row) {
    const { accountId, cents, createdAt: at, credits, gateway, orderId, status, type } = toOrder(row);
    const about = joined(type === 'subscription' ? type : 'pack', money(cents), `${credits} credits`, gateway);
    return { id: orderId, state: status, about, at, accountId };
  },
  subscription(row) {
    const subscription = toSubscription(row);
    const { accountId, billingCycle, createdAt: at, gateway, planId, status, subscriptionId } = subscription;
    const about = joined(planId, billingCycle, gateway, endOf(subscription));
    return { id: subscriptionId, state: status, about, at, accountId };
  },
  task(row) {
    const task = toTask(row);
    const { accountId, clientReference, cost, createdAt: at, errorCode, status, taskId, taskType } = task;
    if (isDeleted(task)) return undefined;
    return {
      id: taskId,
      state: status,
      about: joined(taskType, `cost ${cost}`, errorCode, clientReference),
      at,
      accountId,
    };
  },
  token(row, now) {
    const token = toToken(parseToken(row));
    const { accountId, mode = 'live', name, tokenId } = token;
    const about = mode === 'test' ? joined(name, mode) : name;
    return { id: tokenId, state: tokenStatus(token, now), about, at: timeOfId(tokenId), accountId };
  },
};

/** Describes a row that was found; undefined for what remains of a deleted task. */
export function describe(kind: ThingKind, row: Item, now: number): Thing | undefined {
  const described = descriptions[kind](row, now);
  if (!described) return undefined;
  const { at, ...rest } = described;
  return { kind, ...rest, createdAt: timestamp(at) };
}
