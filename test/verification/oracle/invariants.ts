/** Invariants of the table that must hold at every moment, and between any two moments, whatever fails. */
import { isDeepStrictEqual as same } from 'node:util';
import { simultaneousTasks } from '../../../shared/contracts/limits.ts';
import { idempotencyHours } from '../../../shared/domain/idempotency/idempotency.ts';
import type { DeliveryAttempt } from '../../../shared/domain/tasks/delivery-attempt.ts';
import { isTerminal, overdueMs } from '../../../shared/domain/tasks/task.ts';
import { delayBeforeAttempt } from '../../../shared/domain/webhooks/webhook.ts';
import { ensure, Violation } from './ensure.ts';
import { checkFigures } from './figures.ts';
import type { SeenTask, Snapshot } from './snapshot.ts';

/** The letter that the texts of all requests consist of. */
export const requestLetter = '¶';

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

function money({ accounts, ledger, tasks }: Snapshot): void {
  for (const [accountId, { balance }] of accounts) {
    const rows = ledger.filter((row) => row.accountId === accountId);
    ensure(balance >= 0, 'a balance is never negative', { accountId, balance });
    ensure(balance === sum(rows.map(({ amount }) => amount)), 'a balance is the sum of its ledger', { balance, rows });
  }
  const byTask = Map.groupBy(ledger, ({ taskId }) => taskId);
  for (const task of tasks.values()) {
    const rows = byTask.get(task.taskId) ?? [];
    const amounts = (reason: string) => rows.filter((row) => row.reason === reason).map(({ amount }) => amount);
    ensure(same(amounts('generation'), [-task.cost]), 'a task is debited once', rows);
    const refunds = task.status === 'failed' ? [task.cost] : [];
    ensure(same(amounts('refund'), refunds), 'a task is refunded once if it failed, and else never', { task, rows });
  }
  const strangers = ledger.filter(({ taskId }) => taskId !== undefined && !tasks.has(taskId));
  ensure(strangers.length === 0, 'no task is paid for that does not exist', strangers);
}

function slots({ accounts, tasks }: Snapshot): void {
  for (const [accountId, { openTasks }] of accounts) {
    const open = [...tasks.values()].filter((task) => task.accountId === accountId && !isTerminal(task));
    const ids = open.map(({ taskId }) => taskId).toSorted();
    ensure(same(openTasks.toSorted(), ids), 'the slots are the open tasks', { openTasks, ids });
    ensure(ids.length <= simultaneousTasks, 'no more tasks are open than allowed', ids);
  }
}

/** Every open task is due for a check. */
function watch({ tasks }: Snapshot): void {
  for (const task of tasks.values()) {
    const { nextCheckAt, deadlineAt, webhookStatus } = task;
    if (isTerminal(task)) {
      ensure(webhookStatus !== 'pending' || nextCheckAt !== undefined, 'an owed webhook is in the open index', task);
    } else
      ensure((nextCheckAt ?? Infinity) <= deadlineAt + overdueMs, 'an open task is looked at by its deadline', task);
  }
}

function keys({ tasks, keys: rows }: Snapshot): void {
  for (const row of rows) {
    ensure(tasks.get(row.taskId)?.accountId === row.accountId, 'a key stands for a task of its account', row);
  }
  const keyed = [...tasks.values()].filter(({ clientReference }) => clientReference !== undefined);
  for (const some of Map.groupBy(keyed, (task) => `${task.accountId} ${task.clientReference}`).values()) {
    const byAge = some.toSorted((one, other) => one.createdAt - other.createdAt);
    byAge.forEach((task, index) => {
      const since = task.createdAt - (byAge[index - 1]?.createdAt ?? Number.NEGATIVE_INFINITY);
      ensure(since >= idempotencyHours * 3_600_000, 'a key makes one task', byAge);
    });
    const newest = byAge.at(-1)?.taskId;
    // The row of a deleted task no longer contains its client reference.
    ensure(
      rows.some(({ taskId }) => taskId === newest || tasks.get(taskId)?.deletion),
      'a task that was made with a key is kept under it',
      newest,
    );
  }
}

const attemptsInSeries = 3;

const seriesOf = ({ attempt }: DeliveryAttempt): number => Math.floor((attempt - 1) / attemptsInSeries);

/** The attempts form a current series, before which there may be any number of earlier series. */
function series(attempts: readonly DeliveryAttempt[], earlier: DeliveryAttempt | undefined): void {
  attempts.forEach((one, index) => {
    const { attempt, at } = one;
    const before = attempts[index - 1] ?? earlier;
    ensure(attempt === seriesOf(one) * attemptsInSeries + index + 1, 'attempts of a series have no gaps', attempts);
    const notBefore = (before?.at ?? 0) + (before?.result?.durationMs ?? 0) + delayBeforeAttempt(attempt) * 1000;
    ensure(at >= notBefore, 'no attempt comes early', { attempts, earlier });
  });
}

/** Compares a task's webhook status with the attempts of the current series. */
function webhookStatus({ webhookFrom = 1, ...task }: SeenTask, attempts: readonly DeliveryAttempt[]): void {
  const inForce = attempts.filter(({ attempt }) => attempt >= webhookFrom);
  if (task.webhookStatus === 'delivered') {
    ensure(
      inForce.some(({ result }) => result?.delivered),
      'a delivered webhook was accepted',
      attempts,
    );
  }
  if (task.webhookStatus === 'failed') {
    const tried = inForce.filter(({ result }) => result && !result.delivered);
    ensure(tried.length === attemptsInSeries, 'a webhook is given up after three attempts', { task, attempts });
  }
}

function webhooks({ tasks, deliveries }: Snapshot, posts: ReadonlyMap<string, readonly string[]>): void {
  for (const task of tasks.values()) {
    const attempts = deliveries.get(task.taskId) ?? [];
    const posted = posts.get(task.taskId) ?? [];
    const lastOwed = (task.webhookFrom ?? 1) + attemptsInSeries - 1;
    ensure(posted.length <= lastOwed, 'a webhook is posted three times at most, in each series', posted);
    ensure(posted.length <= attempts.length, 'no attempt is posted twice', { posted, attempts });
    ensure((attempts.at(-1)?.attempt ?? 0) <= lastOwed, 'every attempt belongs to a series that was requested', {
      task,
      attempts,
    });
    ensure(new Set(posted).size <= 1, 'the body is the same in every attempt', posted);
    ensure(
      attempts.length === 0 || (isTerminal(task) && (!!task.callbackUrl || !!task.deletion)),
      'only ended tasks with a callback URL have deliveries',
      task,
    );
    const bySeries = [...Map.groupBy(attempts, seriesOf).values()];
    bySeries.forEach((some, index) => {
      series(some, bySeries[index - 1]?.at(-1));
    });
    webhookStatus(task, attempts);
  }
}

/**
 * All attributes that the row of a deleted task may have; those in the second line only until its webhook has been
 * delivered or abandoned.
 */
const remaining = new Set([
  ...'pk sk accountId tokenId taskType status progress cost input engine route createdAt deadlineAt endedAt engineCost'.split(
    ' ',
  ),
  ...'errorCode resultsSecret webhookFrom webhookStatus deletion openPk openSk expiresAt'.split(' '),
]);
const owed = new Set('callbackUrl clientReference errorMessage results'.split(' '));

/** Nothing of a deleted task's texts is stored, and its erasure is completed. */
function deletions({ tasks, rows }: Snapshot): void {
  for (const task of tasks.values()) {
    if (!task.deletion) continue;
    const stored = rows.get(task.taskId) ?? [];
    const names = Object.keys(stored.find(({ sk }) => sk === 'TASK') ?? {});
    const isOwed = task.webhookStatus === 'pending';
    const kept = names.filter((name) => !remaining.has(name) && !(isOwed && owed.has(name)));
    ensure(kept.length === 0, 'only what the remains consist of is stored for a deleted task', { kept, task });
    ensure(!JSON.stringify(stored).includes(requestLetter), 'no text of a deleted task is stored', stored);
    ensure(isTerminal(task), 'a deleted task has ended', task);
    ensure(task.deletion.erasedAt !== undefined || task.nextCheckAt !== undefined, 'an erasure is completed', task);
    if (task.deletion.erasedAt === undefined) continue;
    const jobs = stored.filter(({ sk }) => String(sk).startsWith('JOB#'));
    ensure(
      jobs.every(({ erased }) => erased === true),
      'an erased job stays erased',
      jobs,
    );
  }
}

const ranks = ['pending', 'submitted', 'processing'];
const rank = (task: SeenTask): number => (isTerminal(task) ? ranks.length : ranks.indexOf(task.status));

/** The values of an ended task that never change; for a deleted task, those that are left. */
const end = ({ status, progress, errorCode, results, endedAt, startedAt, cost }: SeenTask, isDeleted: boolean) => [
  status,
  progress,
  errorCode,
  endedAt,
  cost,
  ...(isDeleted ? [] : [results, startedAt]),
];

/** Values that never decrease or never change again. */
export function checkHistory(before: Snapshot, after: Snapshot): void {
  for (const [taskId, was] of before.tasks) {
    const is = after.tasks.get(taskId);
    if (!is) throw new Violation(`a task vanished: ${taskId}`);
    ensure(rank(is) >= rank(was) && is.progress >= was.progress, 'a task never goes back', { was, is });
    const isDeleted = is.deletion !== undefined;
    ensure(isDeleted || !was.deletion, 'a deleted task stays deleted', { was, is });
    ensure((is.deletion?.lateWrites ?? 0) >= (was.deletion?.lateWrites ?? 0), 'late writes are not forgotten', {
      was,
      is,
    });
    if (isTerminal(was)) {
      ensure(same(end(was, isDeleted), end(is, isDeleted)), 'a terminal task never changes', { was, is });
    }
    const [wasFrom, isFrom] = [was.webhookFrom ?? 1, is.webhookFrom ?? 1];
    ensure(isFrom >= wasFrom, 'an earlier series of attempts does not come back', { was, is });
    if (was.webhookStatus !== 'pending' && isFrom === wasFrom) {
      ensure(was.webhookStatus === is.webhookStatus, 'a settled webhook stays settled', { was, is });
    }
  }
  for (const [taskId, { outcome }] of before.jobs) {
    const isDeleted = after.tasks.get(taskId)?.deletion !== undefined;
    const stands = outcome === undefined || isDeleted || same(outcome, after.jobs.get(taskId)?.outcome);
    ensure(stands, 'the first outcome stands', taskId);
  }
  const rows = new Map(after.ledger.map((row) => [row.id, row]));
  for (const row of before.ledger) ensure(same(row, rows.get(row.id)), 'the ledger is append-only', row);
}

export function checkMoment(snapshot: Snapshot, posts: ReadonlyMap<string, readonly string[]>): void {
  money(snapshot);
  slots(snapshot);
  watch(snapshot);
  keys(snapshot);
  webhooks(snapshot, posts);
  deletions(snapshot);
  checkFigures(snapshot);
}
