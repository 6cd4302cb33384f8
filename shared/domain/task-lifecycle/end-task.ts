/** Ends tasks: the terminal transaction, and the steps that follow it, once. */
import type { Logger } from '@aws-lambda-powertools/logger';
import { failureMessage, type TaskErrorCode } from '../../contracts/errors.ts';
import { generationOf } from '../../contracts/generate.ts';
import { isPricedByFile } from '../../contracts/generation-contract.ts';
import { simultaneousTasks } from '../../contracts/limits.ts';
import type { Engines } from '../../engines/engines.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Action, TransactionCanceled } from '../../platform/dynamo-table.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Queue } from '../../platform/queue.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Workflow } from '../../platform/workflow.ts';
import type { Account } from '../accounts/account.ts';
import { releaseSlot, toAccount } from '../accounts/account-store.ts';
import { countCancel } from '../accounts/cancels.ts';
import { countChargedFailure, isChargedFailure } from '../accounts/charged-failures.ts';
import { appendLedgerRow } from '../accounts/ledger-store.ts';
import { addLongResult } from '../accounts/long-results.ts';
import type { Clauses } from '../accounts/update-account.ts';
import { settleClaims } from '../billing/cases/settle-claims.ts';
import { costsAtEnd, countLateJobs } from '../engine-jobs/engine-costs.ts';
import { stopJobs } from '../engine-jobs/stop-jobs.ts';
import { endCounts, rowCounts } from '../figures/counts.ts';
import { countFigures } from '../figures/figures-store.ts';
import { fileAddressesOf } from '../generation/file-addresses.ts';
import { judgeEngine } from '../generation/judge-engine.ts';
import { insertInfluencer } from '../influencers/influencer-store.ts';
import { metricsFor, type ServiceMetrics } from '../metrics.ts';
import { rememberPublished } from '../published-files/published-file-store.ts';
import type { Stores } from '../stores.ts';
import { deliveryCheckMs, isTerminal, refundOf, type StoredResult, type Task, transitions } from '../tasks/task.ts';
import { closeTask, statusIn } from '../tasks/task-item.ts';
import { isTestAccount } from '../test-account.ts';
import { unspend } from '../tokens/spending.ts';
import { requestDelivery } from '../webhooks/request-delivery.ts';

/**
 * How a task ends: with results, or with a reason. `isOwn` marks a failure that the engine did not cause, `isTooLong`
 * one with a file or a result longer than what was paid for, and `isUnusable` one whose engine made something else, or
 * less, than was asked for.
 */
export type End =
  | { readonly status: 'completed'; readonly results: readonly StoredResult[] }
  | {
      readonly status: 'failed';
      readonly code: TaskErrorCode;
      /** Which field is invalid and why, in the service's own words. */
      readonly detail?: string | undefined;
      readonly isOwn?: true | undefined;
      readonly isTooLong?: true | undefined;
      readonly isUnusable?: true | undefined;
      /** Whether the account is closed: its open tasks are canceled, however many it has canceled that day. */
      readonly isOfClosed?: true | undefined;
      /** Who ended the task; present only if an operator did. */
      readonly endedBy?: 'operator' | undefined;
      /** The id of the token that cancels the task, or `owner` if its owner does, in the dashboard. */
      readonly canceledBy?: string | undefined;
    };

type Failure = Extract<End, { status: 'failed' }>;

export interface EndTaskNeeds extends Pick<Stores, 'circuits' | 'engineJobs' | 'table'> {
  readonly clock: Clock;
  readonly engines: Engines;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
  readonly queue: Queue;
  readonly settings: Pick<Settings, 'publishedRetentionDays'>;
  readonly workflow: Workflow;
}

/** The transaction that ends a task. */
interface Ending {
  readonly actions: readonly Action[];
  readonly endedAt: number;
  readonly costMicros: number;
  /** The jobs whose costs the transaction records. */
  readonly countedJobs: ReadonlySet<string>;
}

function recordEnd(metrics: ServiceMetrics, task: Task, end: End, { costMicros }: Ending): void {
  const { cost, creditMicros, taskType } = task;
  const operation = generationOf(taskType).operationId;
  if (creditMicros !== undefined) {
    const worth = end.status === 'completed' ? cost * creditMicros : 0;
    metrics.record({ CostAboveSales: costMicros - worth }, { operation });
  }
  if (end.status === 'completed') metrics.record({ TasksCompleted: 1 }, { operation });
  else if (end.code === 'CANCELED') metrics.record({ TasksCanceled: 1, CreditsRefunded: cost }, { operation });
  else metrics.record({ TasksFailed: 1, CreditsRefunded: cost }, { operation, code: end.code });
}

/**
 * The failure's message is stored, so that a later release with another wording does not change it: the webhook may be
 * attempted again.
 */
const failureOf = ({ canceledBy, code, detail, endedBy, isOfClosed }: Failure) => ({
  ...(endedBy && { endedBy }),
  ...(isOfClosed ? { canceledBy: 'closing' } : canceledBy && { canceledBy }),
  errorCode: code,
  errorMessage: failureMessage(code, detail),
});

/**
 * Whether a failed task's price depends on a file of the account: the service may have misread the duration of such a
 * file.
 */
const isOfFile = ({ taskType }: Task, end: End): end is Failure =>
  end.status === 'failed' && isPricedByFile(generationOf(taskType));

/** Whether an engine may have worked for longer than was paid for. */
const isLong = (task: Task, end: End): boolean =>
  isOfFile(task, end) && (end.isTooLong || (end.code === 'PROVIDER_TIMEOUT' && !end.isOwn));

/**
 * Whether the input of a task may have caused a failure of its engine or the service. The service itself fails if a
 * function ends each time that it reads a file.
 */
function mayBeByInput(task: Task, { code, endedBy, isTooLong, isUnusable }: Failure): boolean {
  if (code === 'INTERNAL_ERROR') return endedBy === undefined && fileAddressesOf(task).length > 0;
  return isUnusable === true || isTooLong === true || isPricedByFile(generationOf(task.taskType));
}

/** The parts of the account that the end of a task depends on, as they were read. */
type Seen = Pick<Account, 'latestLongResultAt' | 'refundClaims' | 'cancels' | 'chargedFailures'>;

/**
 * Changes of the account's counts of long results, cancels and charged failures. Every cancel counts, because some
 * engines do all their work while the job is submitted. Nothing counts for a test account, whose engine costs nothing.
 * @throws {Rejection} rate-limited, if the account cancels too many tasks
 */
async function countingChanges(
  { table }: EndTaskNeeds,
  task: Task,
  end: End,
  seen: Seen,
  { at, costMicros }: { readonly at: number; readonly costMicros: number },
): Promise<readonly Clauses[]> {
  const { accountId, cost: credits } = task;
  if (isTestAccount(accountId)) return [];
  if (isLong(task, end)) return [addLongResult(at)];
  if (end.status === 'completed') return [];
  if (isChargedFailure(end.code, costMicros, mayBeByInput(task, end)))
    return countChargedFailure(table, seen, { accountId, at, credits });
  if (end.code !== 'CANCELED') return [];
  const isLimited = !end.isOfClosed;
  return countCancel(table, seen, { accountId, at, credits, isByFile: isOfFile(task, end), isLimited });
}

/** The transaction that ends a task, if the account was in this state. */
async function endingOf(needs: EndTaskNeeds, task: Task, end: End, seen: Seen): Promise<Ending> {
  const { taskId, tokenId, accountId, taskType, cappedMonth: month } = task;
  const at = needs.clock.now();
  const transition = transitions[end.status];
  const claims = seen.refundClaims ?? [];
  const ending = end.status === 'completed' ? { results: end.results } : failureOf(end);
  const credits = refundOf({ status: transition.to, cost: task.cost });
  // The id of the refund's ledger row is created first, so that the ledger shows the refund before the credits that
  // cases take from it.
  const id = needs.ids.next();
  const settled = await settleClaims(needs, claims, { accountId, taskId, credits, at });
  const row = { id, accountId, amount: credits, reason: 'refund', at, taskType, taskId } as const;
  const costs = await costsAtEnd(needs.engineJobs, task, at);
  const changes = await countingChanges(needs, task, end, seen, { at, costMicros: costs.micros });
  const ended = { ...ending, endedAt: at, ...(costs.micros > 0 && { engineCost: costs.micros }) };
  const actions = [
    closeTask(task, transition, ended, at + deliveryCheckMs),
    releaseSlot({ accountId, taskId, credits: credits - settled.taken, changes, claims }),
    ...(credits > 0 ? [appendLedgerRow({ ...row, ...(tokenId !== undefined && { tokenId }) })] : []),
    ...(credits > 0 && month !== undefined && tokenId !== undefined ? [unspend({ tokenId, month, credits })] : []),
    ...settled.actions,
    ...(end.status === 'completed'
      ? rememberPublished(task, end.results, { at, keptDays: Number(needs.settings.publishedRetentionDays) })
      : []),
    ...(end.status === 'completed' && task.influencerId !== undefined
      ? [insertInfluencer(task, task.influencerId, end.results, at)]
      : []),
    ...costs.actions,
    ...countFigures(
      accountId,
      at,
      endCounts(task, end.status === 'failed' ? end.code : undefined),
      costs.counts,
      rowCounts({ amount: -settled.taken, reason: 'refund' }),
    ),
  ];
  return { actions, endedAt: at, costMicros: costs.micros, countedJobs: costs.jobs };
}

/**
 * The limit of attempts, which exceeds how often claims on the refunds of an account's open tasks can change while one
 * of them ends.
 */
const maxAttempts = 3 * simultaneousTasks;

/**
 * Commits the status, the freed slot, the refund (of which cases may claim a part) and what a completed task creates,
 * all or nothing; undefined if the task had already ended.
 */
async function commit(needs: EndTaskNeeds, given: Task, end: End, account: Seen): Promise<Ending | undefined> {
  let task = given;
  let seen = account;
  for (let tries = 1; ; tries += 1) {
    try {
      const ending = await endingOf(needs, task, end, seen);
      await needs.table.transact(ending.actions);
      return ending;
    } catch (error) {
      if (!(error instanceof TransactionCanceled)) throw error;
      const [closed, current] = error.failures;
      if (closed?.item) task = { ...task, status: statusIn(closed.item) };
      if (isTerminal(task)) return undefined;
      const isMissing = [closed, current].some((failure) => failure && !failure.item);
      // The other conditions are those on cases and jobs, which can hold at the next attempt.
      if (isMissing || tries === maxAttempts) throw error;
      if (current?.item) seen = toAccount(current.item);
    }
  }
}

/**
 * Stops the jobs of a failed task. Their costs are recorded first, because a stopped job counts as one that cost
 * nothing. If that fails, the jobs are stopped nevertheless.
 */
async function stop(
  needs: EndTaskNeeds,
  task: Task,
  { code }: Failure,
  { endedAt, countedJobs }: Ending,
): Promise<void> {
  try {
    await countLateJobs(needs, { ...task, endedAt }, countedJobs);
  } finally {
    await stopJobs(needs, task.taskId, code);
  }
}

/**
 * Runs the steps after the end. Errors are only logged, because the task is already terminal and the sweeper resends a
 * missing webhook.
 */
async function followUp(needs: EndTaskNeeds, task: Task, end: End, ending: Ending): Promise<void> {
  // Says nothing about the engine in two cases: no real engine works for test tokens; and a result may be too long
  // because of the account's own file, so that accounts could make a working engine unavailable to others.
  const isTest = isTestAccount(task.accountId);
  if (!isTest && !(isOfFile(task, end) && end.isTooLong)) await judgeEngine(needs, task, end);
  // The steps run concurrently, so that an engine that is slow to cancel its job does not delay the webhook.
  const steps = await Promise.allSettled([
    end.status === 'failed' ? stop(needs, task, end, ending) : undefined,
    requestDelivery(needs.queue, task),
    end.status === 'completed' && !isTest ? needs.circuits.recordDuration(task) : undefined,
  ]);
  for (const step of steps) {
    if (step.status === 'fulfilled') continue;
    const reason = (step.reason as Error).name;
    needs.logger.warn('task end follow-up failed', { taskId: task.taskId, reason });
  }
}

/**
 * Ends a task; false if it had already ended, in which case nothing changes and no webhook is sent. Few accounts have
 * claims on refunds or counts of refunded work. If the account is not given, the first transaction assumes that it has
 * none; otherwise that transaction fails, and returns them for a second one.
 * @throws {Rejection} rate-limited, if an account cancels too many tasks; then nothing changes, either
 */
export async function endTask(needs: EndTaskNeeds, task: Task, end: End, account: Seen = {}): Promise<boolean> {
  const ending = isTerminal(task) ? undefined : await commit(needs, task, end, account);
  if (!ending) return false;
  recordEnd(metricsFor(needs.metrics, task.accountId), task, end, ending);
  await followUp(needs, task, end, ending);
  return true;
}
