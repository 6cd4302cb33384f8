/** The transaction that creates a task: the debit and slot, the task, its ledger row and the stored response. */
import { successResponse } from '../../contracts/envelope.ts';
import { type GenerationContract, isPricedByFile } from '../../contracts/generation-contract.ts';
import { midnightBefore } from '../../platform/clock.ts';
import { type Action, type Item, type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Account } from '../accounts/account.ts';
import { debitAccount, type Shortage, shortageOf, toAccount } from '../accounts/account-store.ts';
import { isCharged } from '../accounts/charged-failures.ts';
import { appendLedgerRow } from '../accounts/ledger-store.ts';
import { fillTestPurse, isPurseDue, missingAccount } from '../accounts/test-purse.ts';
import type { Idempotency, StoredResponse } from '../idempotency/idempotency.ts';
import { scopeOf, storeResponse, toStoredResponse } from '../idempotency/idempotency-store.ts';
import { accountKey } from '../keys.ts';
import { isSameRetention } from '../retention.ts';
import type { Task } from '../tasks/task.ts';
import { insertTask } from '../tasks/task-item.ts';
import { isTestAccount, liveAccountOf } from '../test-account.ts';
import { spend, spentIn } from '../tokens/spending.ts';

/**
 * The result. Nothing was written if the key already has a stored response, or if the account lacks credits, a free
 * slot or whatever else the task needs.
 */
export type Committed =
  | { readonly status: 'made' }
  | { readonly status: 'known'; readonly response: StoredResponse }
  | { readonly status: 'short'; readonly shortage: Shortage; readonly account: Account }
  | { readonly status: 'capped'; readonly spent: number }
  /** Another request changed the circuit first; `found` is its row. */
  | { readonly status: 'overtaken'; readonly found: Item };

/** The response that announces a new task. */
export interface AcceptedTask {
  readonly taskId: string;
  readonly status: 'queued';
}

interface NewTask {
  readonly task: Task;
  readonly accepted: AcceptedTask;
  readonly idempotency: Idempotency | undefined;
  readonly requestId: string;
  /** The monthly cap of the token, if it has one. */
  readonly cap?: number | undefined;
  /** Claims the probe of the route's circuit, if it is half-open. */
  readonly claim?: Action | undefined;
}

function storedResponse(
  { operationId, success }: GenerationContract,
  { task, accepted }: NewTask,
  idempotency: Idempotency,
): Action {
  const { taskId, accountId, createdAt } = task;
  const response = { fingerprint: idempotency.fingerprint, ...successResponse(success, accepted), taskId };
  return storeResponse(scopeOf(accountId, operationId, idempotency), response, createdAt);
}

/**
 * What the account of a task needs when it is created. The plan of a test account is that of its live account, which was
 * checked before.
 */
export function debitOf(
  contract: GenerationContract,
  accountId: string,
  { cost, enginePrices }: Pick<Task, 'cost' | 'enginePrices'>,
  now: number,
) {
  const isTest = isTestAccount(accountId);
  return {
    cost,
    feature: isTest ? undefined : contract.feature,
    byFileAt: isPricedByFile(contract) ? now : undefined,
    chargedAt: isCharged(enginePrices) ? now : undefined,
    filledSince: isTest ? midnightBefore(now) : undefined,
  };
}

type Extra = 'response' | 'spending' | 'claim';

/** The writes that only some tasks need, in their order in the transaction. */
function extrasOf(contract: GenerationContract, created: NewTask): readonly (readonly [Extra, Action])[] {
  const { task, idempotency, cap, claim } = created;
  const { cost: credits, cappedMonth: month, tokenId } = task;
  return [
    ...(idempotency ? [['response', storedResponse(contract, created, idempotency)] as const] : []),
    ...(cap !== undefined && month !== undefined && tokenId !== undefined
      ? [['spending', spend({ tokenId, month, credits }, cap)] as const]
      : []),
    ...(claim ? [['claim', claim] as const] : []),
  ];
}

/**
 * The idempotency key is checked before the account: a repeated request gets its stored response even if the balance is
 * now too low. The account is checked before the cap of the token, and the circuit last.
 */
function rejectionIn(
  [account, , , ...others]: TransactionCanceled['failures'],
  contract: GenerationContract,
  created: NewTask,
): Committed | 'unfilled' | { readonly status: 'retained'; readonly account: Account } | undefined {
  const { accountId, createdAt } = created.task;
  const failures = new Map(extrasOf(contract, created).map(([name], index) => [name, others[index]]));
  const earlier = failures.get('response')?.item;
  if (earlier) return { status: 'known', response: toStoredResponse(earlier) };
  const found = account?.item && toAccount(account.item);
  if (account && !found) throw missingAccount(accountId);
  if (found && isTestAccount(accountId) && isPurseDue(found, createdAt)) return 'unfilled';
  const shortage = found && shortageOf(found, debitOf(contract, accountId, created.task, createdAt));
  if (shortage) return { status: 'short', shortage, account: found };
  const capped = failures.get('spending');
  if (capped) return { status: 'capped', spent: spentIn(capped.item) };
  const overtaken = failures.get('claim');
  if (overtaken) return { status: 'overtaken', found: overtaken.item ?? {} };
  const isOther = found && !isTestAccount(accountId) && !isSameRetention(found.retention, created.task.retention);
  return isOther ? { status: 'retained', account: found } : undefined;
}

/** The task of a test account with the periods of its live account, if that has some. */
async function withLiveRetention(table: Table, task: Task): Promise<Task> {
  if (!isTestAccount(task.accountId)) return task;
  const live = await table.get(accountKey(liveAccountOf(task.accountId)));
  const retention = live && toAccount(live).retention;
  return retention ? { ...task, retention } : task;
}

/**
 * Commits the task. Few accounts have periods of their own, so a task is first committed without; if its account has
 * some, the transaction fails and returns them. @throws {TransactionCanceled} for a cause that no request can have
 */
export async function commitTask(
  needs: { readonly table: Table; readonly ids: Ids },
  contract: GenerationContract,
  created: NewTask,
): Promise<Committed> {
  const { ids, table } = needs;
  const { requestId } = created;
  const task = await withLiveRetention(table, created.task);
  const { taskId, tokenId, accountId, taskType, cost, createdAt: at } = task;
  const id = ids.next();
  const row = { id, accountId, amount: -cost, reason: 'generation', at, taskType, taskId } as const;
  try {
    await table.transact([
      debitAccount({ accountId, taskId, retention: task.retention, ...debitOf(contract, accountId, task, at) }),
      // The task is due at once. Starting an execution by name can be repeated, so the next sweep repeats a start that
      // was lost.
      insertTask(task, at, requestId),
      appendLedgerRow({ ...row, ...(tokenId !== undefined && { tokenId }) }),
      ...extrasOf(contract, created).map(([, action]) => action),
    ]);
    return { status: 'made' };
  } catch (error) {
    const rejection = error instanceof TransactionCanceled && rejectionIn(error.failures, contract, created);
    if (!rejection) throw error;
    if (rejection === 'unfilled') {
      await fillTestPurse(needs, accountId, at);
      return commitTask(needs, contract, created);
    }
    if (rejection.status !== 'retained') return rejection;
    return commitTask(needs, contract, { ...created, task: { ...task, retention: rejection.account.retention } });
  }
}
