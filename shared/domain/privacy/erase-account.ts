/**
 * Erases a closed account in steps, each of which can be repeated at any point. What the register of personal data says
 * is erased is removed everywhere; what must be kept no longer contains the owner's name.
 */
import { channels } from '../../contracts/channels.ts';
import type { Tombstones } from '../../platform/tombstones.ts';
import type { Account } from '../accounts/account.ts';
import { isClosed } from '../accounts/closed-account.ts';
import { updateAccount } from '../accounts/update-account.ts';
import { cancelOrder } from '../billing/orders/operate-order.ts';
import { countedOrders } from '../billing/orders/order-room.ts';
import type { ReconcileNeeds } from '../billing/reconciliation/reconcile-orders.ts';
import type { SubscriptionReconcileNeeds } from '../billing/reconciliation/reconcile-subscriptions.ts';
import { cancelSubscription } from '../billing/subscriptions/cancel-subscription.ts';
import type { Subscription } from '../billing/subscriptions/subscription.ts';
import { indexes, tasksOwner } from '../index-keys.ts';
import { accountKey, taskIdOf } from '../keys.ts';
import { type ConnectNeeds, disconnectPage } from '../piloto/pages/connect-page.ts';
import { type DeleteTaskNeeds, deleteTask } from '../task-lifecycle/delete-task.ts';
import { endTask } from '../task-lifecycle/end-task.ts';
import { isDeleted } from '../tasks/deleted-task.ts';
import { isTerminal } from '../tasks/task.ts';
import { evenDeleted } from '../tasks/task-store.ts';
import { isTestAccount, testAccountOf } from '../test-account.ts';
import { walkOwned } from '../walk-index.ts';
import { beginErasure, closeAccount, endWeek, scheduleErasure, scheduleStep, shutOut } from './closing.ts';
import { type EraseRowsNeeds, eraseRows } from './erase-rows.ts';

export interface EraseAccountNeeds
  extends DeleteTaskNeeds,
    ReconcileNeeds,
    SubscriptionReconcileNeeds,
    ConnectNeeds,
    EraseRowsNeeds {
  readonly clock: DeleteTaskNeeds['clock'];
  readonly logger: DeleteTaskNeeds['logger'];
  readonly tombstones: Tombstones;
}

/** How soon an erasure continues if it waits for the copy of an inbox to be erased, or ran out of time. */
const continueMs = 60_000;

/** How long after an erasure everything is erased once more: later than the last writer that read the account before. */
export const lastWriterMs = 2 * 3_600_000;

/** What may still be in progress for a closed account: each is read, and returns a function that stops it. */
function readsOf(needs: EraseAccountNeeds, taskIds: readonly string[], orderIds: readonly string[]) {
  const task = async (taskId: string) => {
    const found = await needs.tasks.find(taskId);
    if (!found || isTerminal(found)) return undefined;
    return () => endTask(needs, found, { status: 'failed', code: 'CANCELED', isOfClosed: true });
  };
  const order = async (orderId: string) => {
    const found = await needs.orders.findPack(orderId);
    return found?.status === 'pending' ? () => cancelOrder(needs, found) : undefined;
  };
  return [...taskIds.map((id) => () => task(id)), ...orderIds.map((id) => () => order(id))];
}

/**
 * Functions that stop what is in progress for a closed account: open tasks, unpaid orders and subscriptions. The function
 * of what cannot be read fails.
 */
async function* runningOf(needs: EraseAccountNeeds, { accountId, openTasks }: Account) {
  const test = await needs.accounts.find(testAccountOf(accountId));
  const orderIds = countedOrders(await needs.table.get(accountKey(accountId)));
  for (const read of readsOf(needs, [...openTasks, ...(test?.openTasks ?? [])], [...orderIds])) {
    const stop = await read().catch((error: unknown) => () => Promise.reject(error));
    if (stop) yield stop;
  }
  // Throws for a subscription that cannot be read, because it may still be charged.
  for await (const subscription of needs.subscriptions.newestFirst(accountId, { isStrict: true })) {
    if (isRunning(subscription)) yield () => endSubscription(needs, subscription);
  }
}

const isRunning = ({ status }: Subscription): boolean =>
  status === 'active' || status === 'past_due' || status === 'pending';

/**
 * Cancels a subscription at its gateway. That is impossible, and logged, if the gateway does not know the subscription
 * or is not the configured one.
 */
async function endSubscription(needs: EraseAccountNeeds, subscription: Subscription): Promise<void> {
  const { logger, subscriptionGateway } = needs;
  const { accountId, subscriptionId, checkoutId, gateway } = subscription;
  const isKnown = gateway === subscriptionGateway.name && (await subscriptionGateway.read(checkoutId)) !== undefined;
  if (isKnown) await cancelSubscription(needs, subscription, 'now');
  else logger.warn('subscription cannot be canceled', { accountId, subscriptionId, gateway });
}

/** Stops everything that is in progress for a closed account; stops early if the account is opened again meanwhile. */
async function settleAccount(needs: EraseAccountNeeds, account: Account): Promise<void> {
  const { accountId } = account;
  const failures: unknown[] = [];
  await shutOut(needs, accountId);
  for await (const stop of runningOf(needs, account)) {
    const now = await needs.accounts.find(accountId);
    if (!now || !isClosed(now)) return;
    // What cannot be stopped now must not keep the rest in progress, such as a subscription that is charged.
    await stop().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Deletes the tasks of an account; false if time runs out first. */
async function eraseTasks(needs: EraseAccountNeeds, accountId: string, endsAt: number): Promise<boolean> {
  for await (const key of walkOwned(needs.table, tasksOwner(accountId))) {
    if (needs.clock.now() >= endsAt) return false;
    const task = await needs.tasks.find(taskIdOf(key), evenDeleted);
    if (task && !(isDeleted(task) && task.deletion.erasedAt !== undefined)) await deleteTask(needs, task);
  }
  return true;
}

/** Disconnects the pages of an account; false while the copies of their inboxes are being erased. */
async function erasePages(needs: EraseAccountNeeds, accountId: string): Promise<boolean> {
  for (const channel of channels) await disconnectPage(needs, { accountId, channel });
  return (await needs.connections.of(accountId)).length === 0;
}

/** Removes the name from the account, whose balance, ledger and payments stay. */
async function anonymize({ clock, table }: EraseAccountNeeds, accountId: string): Promise<void> {
  const isBegun = '(attribute_exists(closing.erasingAt) OR attribute_exists(erasedAt))';
  const { byAlias, byHandle } = indexes;
  const handles = [byAlias.pk, byAlias.sk, byHandle.pk, byHandle.sk];
  await table.transact([
    updateAccount(accountId, [
      {
        set: ['email = :none', '#name = :none', 'erasedAt = if_not_exists(erasedAt, :now)'],
        remove: ['closing', 'limitsLifted', ...handles],
        when: isTestAccount(accountId) ? [] : [isBegun],
        values: { ':none': '', ':now': clock.now() },
        names: { '#name': 'name' },
      },
    ]),
  ]);
}

/** Erases an account, as far as possible before the given time; true if nothing is left to do for now. */
async function eraseEverything(needs: EraseAccountNeeds, account: Account, endsAt: number): Promise<boolean> {
  const { accountId, email } = account;
  const test = testAccountOf(accountId);
  // The tombstone, a record of the erasure, is stored first: if the table is restored, it says which accounts must be
  // erased again, even if the erasure was interrupted.
  await needs.tombstones.set(accountId);
  await settleAccount(needs, account);
  if (!(await erasePages(needs, accountId))) return false;
  for (const id of [accountId, test]) {
    if (!(await eraseTasks(needs, id, endsAt))) return false;
    if (!(await eraseRows(needs, { accountId: id, email: id === accountId ? email : '' }, endsAt))) return false;
  }
  if (await needs.accounts.find(test)) await anonymize(needs, test);
  await anonymize(needs, accountId);
  return true;
}

/**
 * Performs the next step for a closed account: stops what is in progress, erases the account after its week, or repeats
 * the erasure once no earlier writer can be left. Does nothing for other accounts.
 */
export async function advanceClosure(needs: EraseAccountNeeds, accountId: string, endsAt: number): Promise<void> {
  const { clock, logger } = needs;
  const account = await needs.accounts.find(accountId);
  if (!account || isTestAccount(accountId)) return;
  const { closing, erasedAt } = account;
  if (closing && closing.eraseAt > clock.now()) {
    await settleAccount(needs, account);
    await scheduleErasure(needs, accountId, closing.eraseAt);
    return;
  }
  if (erasedAt === undefined && !(await beginErasure(needs, accountId))) return;
  const isDone = await eraseEverything(needs, account, endsAt);
  if (isDone) logger.info('account erased', { accountId });
  const isLast = erasedAt !== undefined && clock.now() >= erasedAt + lastWriterMs;
  if (isDone && isLast) await forgetClosure(needs, accountId);
  else await scheduleStep(needs, accountId, clock.now() + (isDone ? lastWriterMs : continueMs));
}

/** Removes an erased account from the index of accounts that are being closed. */
async function forgetClosure({ table }: EraseAccountNeeds, accountId: string): Promise<void> {
  const { pk, sk } = indexes.open;
  await table.transact([updateAccount(accountId, [{ remove: [pk, sk] }])]);
}

/** Erases the accounts again that a restore of the table has brought back; returns their ids. */
export async function eraseReturned(needs: EraseAccountNeeds): Promise<string[]> {
  const erased: string[] = [];
  for await (const accountId of needs.tombstones.all()) {
    const account = await needs.accounts.find(accountId);
    if (!account || account.erasedAt !== undefined) continue;
    await closeAccount(needs, accountId);
    await endWeek(needs, accountId);
    await advanceClosure(needs, accountId, Number.MAX_SAFE_INTEGER);
    erased.push(accountId);
  }
  return erased;
}
