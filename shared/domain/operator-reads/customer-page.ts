/** Collects everything that belongs to an account, for the operators' page about a customer. */
import { shownOfCustomer } from '../../contracts/operate-customers.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Account } from '../accounts/account.ts';
import { cancelsRejectedUntil } from '../accounts/cancels.ts';
import { chargesBarredUntil } from '../accounts/charged-failures.ts';
import { presentClosure } from '../accounts/closed-account.ts';
import { countOn } from '../accounts/day-count.ts';
import { presentLedgerRow } from '../accounts/ledger.ts';
import { barredUntil, observedUntil } from '../accounts/long-results.ts';
import { testCreditsAt } from '../accounts/test-purse.ts';
import type { Order } from '../billing/orders/order.ts';
import { gatewayReferenceOf } from '../billing/orders/order-store.ts';
import { presentOrder } from '../billing/orders/present-order.ts';
import { currentSubscription, presentSubscription } from '../billing/subscriptions/current-subscription.ts';
import { endsWithPeriod, type Subscription } from '../billing/subscriptions/subscription.ts';
import type { Connection } from '../piloto/pages/connection.ts';
import { connectionStore } from '../piloto/pages/connection-store.ts';
import { readable } from '../readable-rows.ts';
import { presentSession, sessionStore } from '../sessions/session-store.ts';
import type { Stores } from '../stores.ts';
import { findTasks } from '../tasks/find-tasks.ts';
import { presentAttempts } from '../tasks/present-task.ts';
import { testAccountOf } from '../test-account.ts';
import { presentTokens } from '../tokens/present-tokens.ts';
import { type ListedDelivery, listDeliveries } from '../webhooks/list-deliveries.ts';
import { presentOperatedTask } from './present-operated-task.ts';

type Needs = Pick<Stores, 'accounts' | 'ledger' | 'orders' | 'subscriptions' | 'table' | 'tasks'> & {
  readonly clock: Clock;
  readonly settings: Settings;
};

const orNull = (at: number | undefined): string | null => (at === undefined ? null : timestamp(at));

export const presentCustomer = ({ accountId, balance, createdAt, email, name, openTasks, planId }: Account) => ({
  accountId,
  email,
  name,
  plan: planId ?? null,
  balance,
  openTasks: openTasks.length,
  createdAt: timestamp(createdAt),
});

interface Beside {
  readonly test: Account | undefined;
  /** Until when it can cancel no further task; undefined if it can. */
  readonly cancelsUntil: number | undefined;
}

const presentAccount = (account: Account, { cancelsUntil, test }: Beside, now: number) => ({
  ...presentCustomer(account),
  ...presentClosure(account),
  features: [...account.features],
  testCredits: test ? testCreditsAt(test, now) : null,
  openTaskIds: [...account.openTasks],
  fileTasksRejectedUntil: orNull(barredUntil(account, now)),
  fileTasksLimitedUntil: orNull(observedUntil(account, now)),
  canceledToday: countOn(account.cancels, now),
  cancelsRejectedUntil: orNull(cancelsUntil),
  chargedFailuresToday: countOn(account.chargedFailures, now),
  chargedTasksRejectedUntil: orNull(chargesBarredUntil(account, now)),
  limitsLiftedBecause: account.limitsLifted?.reason ?? null,
});

function presentOperatedSubscription(found: Subscription | undefined) {
  const presented = presentSubscription(found);
  return found && presented ? { ...presented, isEnding: endsWithPeriod(found) } : null;
}

function presentOperatedOrder(order: Order) {
  const { pix: _code, ...presented } = presentOrder(order);
  return { ...presented, gatewayReference: gatewayReferenceOf(order) };
}

const presentDelivery = ({ attempts, task }: ListedDelivery) => ({
  taskId: task.taskId,
  taskType: task.taskType,
  taskStatus: task.status === 'completed' ? ('completed' as const) : ('failed' as const),
  url: task.callbackUrl ?? '',
  status: task.webhookStatus ?? ('pending' as const),
  attempts: presentAttempts(attempts),
  endedAt: timestamp(task.endedAt ?? task.createdAt),
});

const presentPage = ({ channel, connectedAt, fault, name, pageId, state, syncedAt }: Connection) => ({
  channel,
  pageId,
  name,
  state,
  fault: fault ?? null,
  connectedAt: timestamp(connectedAt),
  syncedAt: orNull(syncedAt),
});

/** Everything about an account; undefined if it does not exist. */
export async function customerPage(needs: Needs, accountId: string) {
  const { accounts, clock, ledger, orders, settings, table } = needs;
  const now = clock.now();
  const account = await accounts.find(accountId);
  if (!account) return undefined;
  const range = { limit: shownOfCustomer, offset: 0 };
  const [test, cancelsUntil, subscription, history, tasks, found, tokens, sessions, deliveries, pages] =
    await Promise.all([
      accounts.find(testAccountOf(accountId)),
      cancelsRejectedUntil(table, account, now),
      currentSubscription(needs, accountId),
      ledger.list(accountId, range),
      findTasks(needs, accountId, range),
      orders.list(accountId, {}, range),
      presentTokens(table, accountId, now),
      sessionStore(table).list(accountId, now),
      listDeliveries(needs, accountId, range),
      connectionStore(table).of(accountId),
    ]);
  return {
    account: presentAccount(account, { cancelsUntil, test }, now),
    subscription: presentOperatedSubscription(subscription),
    history: readable(table, { kind: 'ledger row', idOf: ({ id }) => id }, history, presentLedgerRow),
    tasks: readable(table, { kind: 'task', idOf: ({ taskId }) => taskId }, tasks, (task) =>
      presentOperatedTask(task, settings, account.email || null),
    ),
    orders: readable(table, { kind: 'order', idOf: ({ orderId }) => orderId }, found, presentOperatedOrder),
    tokens,
    sessions: sessions.map(presentSession),
    deliveries: readable(table, { kind: 'webhook', idOf: ({ task }) => task.taskId }, deliveries, presentDelivery),
    pages: pages.map(presentPage),
  };
}
