/** What must hold of the table at every moment, and between any two moments, whatever was done and whatever failed. */
import { isDeepStrictEqual as same } from 'node:util';
import { simultaneousTasks } from '../../shared/domain/account.ts';
import { idempotencyHours } from '../../shared/domain/idempotency.ts';
import { isTerminal, overdueMs } from '../../shared/domain/task.ts';
import { delayBeforeAttempt } from '../../shared/domain/webhook.ts';
import type { SeenTask, Snapshot } from './snapshot.ts';

/** A broken promise; the sentence says which. */
class Violation extends Error {
  override readonly name = 'Violation';
}

export function hold(condition: boolean, promise: string, evidence: unknown): void {
  if (!condition) throw new Violation(`${promise}: ${JSON.stringify(evidence)}`);
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

function money({ accounts, ledger, tasks }: Snapshot): void {
  for (const [accountId, { balance }] of accounts) {
    const rows = ledger.filter((row) => row.accountId === accountId);
    hold(balance >= 0, 'a balance is never negative', { accountId, balance });
    hold(balance === sum(rows.map(({ amount }) => amount)), 'a balance is the sum of its ledger', { balance, rows });
  }
  const byTask = Map.groupBy(ledger, ({ taskId }) => taskId);
  for (const task of tasks.values()) {
    const rows = byTask.get(task.taskId) ?? [];
    const amounts = (reason: string) => rows.filter((row) => row.reason === reason).map(({ amount }) => amount);
    hold(same(amounts('generation'), [-task.cost]), 'a task is debited once', rows);
    const refunds = task.status === 'failed' ? [task.cost] : [];
    hold(same(amounts('refund'), refunds), 'a task is refunded once if it failed, and else never', { task, rows });
  }
  const strangers = ledger.filter(({ taskId }) => taskId !== undefined && !tasks.has(taskId));
  hold(strangers.length === 0, 'no task is paid for that does not exist', strangers);
}

function slots({ accounts, tasks }: Snapshot): void {
  for (const [accountId, { openTasks }] of accounts) {
    const open = [...tasks.values()].filter((task) => task.accountId === accountId && !isTerminal(task));
    const ids = open.map(({ taskId }) => taskId).toSorted();
    hold(same(openTasks.toSorted(), ids), 'the slots are the open tasks', { openTasks, ids });
    hold(ids.length <= simultaneousTasks, 'no more tasks are open than allowed', ids);
  }
}

/** Somebody looks at whatever is not over, in time. */
function watch({ tasks }: Snapshot): void {
  for (const task of tasks.values()) {
    const { lookAt, deadlineAt, webhookStatus } = task;
    if (isTerminal(task)) {
      hold(webhookStatus !== 'pending' || lookAt !== undefined, 'an owed webhook is in the open index', task);
    } else hold((lookAt ?? Infinity) <= deadlineAt + overdueMs, 'an open task is looked at by its deadline', task);
  }
}

function keys({ tasks, keys: rows }: Snapshot): void {
  for (const row of rows) {
    hold(tasks.get(row.taskId)?.accountId === row.accountId, 'a key stands for a task of its account', row);
  }
  const keyed = [...tasks.values()].filter(({ clientReference }) => clientReference !== undefined);
  for (const some of Map.groupBy(keyed, (task) => `${task.accountId} ${task.clientReference}`).values()) {
    const byAge = some.toSorted((one, other) => one.createdAt - other.createdAt);
    byAge.forEach((task, index) => {
      const since = task.createdAt - (byAge[index - 1]?.createdAt ?? Number.NEGATIVE_INFINITY);
      hold(since >= idempotencyHours * 3_600_000, 'a key makes one task', byAge);
    });
    const newest = byAge.at(-1)?.taskId;
    hold(
      rows.some(({ taskId }) => taskId === newest),
      'a task that was made with a key is kept under it',
      newest,
    );
  }
}

function webhooks({ tasks, deliveries }: Snapshot, posts: ReadonlyMap<string, readonly string[]>): void {
  for (const task of tasks.values()) {
    const attempts = deliveries.get(task.taskId) ?? [];
    const told = posts.get(task.taskId) ?? [];
    hold(told.length <= 3, 'a webhook is posted three times at most', told);
    hold(told.length <= attempts.length, 'no attempt is posted twice', { told, attempts });
    hold(new Set(told).size <= 1, 'the body is the same in every attempt', told);
    hold(attempts.length === 0 || (isTerminal(task) && !!task.callbackUrl), 'only an asked-for end is told', task);
    attempts.forEach(({ attempt, at }, index) => {
      const earlier = attempts[index - 1];
      hold(attempt === index + 1, 'attempts have no gaps', attempts);
      const notBefore = (earlier?.at ?? 0) + (earlier?.result?.durationMs ?? 0) + delayBeforeAttempt(attempt) * 1000;
      hold(at >= notBefore, 'no attempt comes early', attempts);
    });
    const delivered = attempts.some(({ result }) => result?.delivered);
    if (task.webhookStatus === 'delivered') hold(delivered, 'a delivered webhook was accepted', attempts);
    if (task.webhookStatus === 'failed') {
      const tried = attempts.filter(({ result }) => result && !result.delivered);
      hold(tried.length === 3, 'a webhook is given up after three attempts', { task, attempts });
    }
  }
}

const ranks = ['pending', 'submitted', 'processing'];
const rank = (task: SeenTask): number => (isTerminal(task) ? ranks.length : ranks.indexOf(task.status));

const end = ({ status, progress, errorCode, results, endedAt, startedAt, cost }: SeenTask) => [
  status,
  progress,
  errorCode,
  results,
  endedAt,
  startedAt,
  cost,
];

/** What never goes back or changes again. */
export function checkHistory(before: Snapshot, after: Snapshot): void {
  for (const [taskId, was] of before.tasks) {
    const is = after.tasks.get(taskId);
    if (!is) throw new Violation(`a task vanished: ${taskId}`);
    hold(rank(is) >= rank(was) && is.progress >= was.progress, 'a task never goes back', { was, is });
    if (isTerminal(was)) hold(same(end(was), end(is)), 'a terminal task never changes', { was, is });
    if (was.webhookStatus !== 'pending') {
      hold(was.webhookStatus === is.webhookStatus, 'a settled webhook stays settled', { was, is });
    }
  }
  for (const [taskId, outcome] of before.outcomes) {
    hold(same(outcome, after.outcomes.get(taskId)), 'the first outcome stands', taskId);
  }
  const rows = new Map(after.ledger.map((row) => [row.id, row]));
  for (const row of before.ledger) hold(same(row, rows.get(row.id)), 'the ledger is append-only', row);
}

export function checkMoment(snapshot: Snapshot, posts: ReadonlyMap<string, readonly string[]>): void {
  money(snapshot);
  slots(snapshot);
  watch(snapshot);
  keys(snapshot);
  webhooks(snapshot, posts);
}
