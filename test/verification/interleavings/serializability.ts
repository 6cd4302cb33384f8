/** Checks that the responses are serializable: in some order of the operations each of them was correct. */
import { simultaneousTasks } from '../../../shared/contracts/limits.ts';
import { isTerminal } from '../../../shared/domain/tasks/task.ts';
import { ensure } from '../oracle/ensure.ts';
import type { Snapshot } from '../oracle/snapshot.ts';
import type { OperationResult } from './operations.ts';

/** An account between two events. */
interface Standing {
  readonly balance: number;
  readonly open: number;
}

/** Something that happened to the account at one moment, and when it could. */
interface Event {
  readonly what: string;
  readonly credits: number;
  readonly slots: number;
  /** The event that it cannot come before, and the one that it cannot come after. */
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  fits(standing: Standing): boolean;
}

type Creation = Extract<OperationResult, { kind: 'create' }>;

const birth = (taskId: string): string => `birth of ${taskId}`;

const debit = ({ order: { cost }, response: { taskId } }: Creation): Event => ({
  what: birth(taskId),
  credits: -cost,
  slots: 1,
  fits: ({ balance, open }) => balance >= cost && open < simultaneousTasks,
});

/** Credits are checked before slots, and a key with a task is never rejected. */
const rejection = (
  { order: { cost, key }, response: { code } }: Creation,
  before: Snapshot,
  after: Snapshot,
): Event => {
  const keyed = [...after.tasks.values()].find(({ clientReference }) => key !== undefined && clientReference === key);
  return {
    what: `rejection ${code}`,
    credits: 0,
    slots: 0,
    before: keyed && birth(keyed.taskId),
    fits({ balance, open }) {
      if (keyed && before.tasks.has(keyed.taskId)) return false;
      if (code === 'INSUFFICIENT_CREDITS') return balance < cost;
      return balance >= cost && open >= simultaneousTasks;
    },
  };
};

const posting = ({ amount, result }: Extract<OperationResult, { kind: 'grant' }>): Event => ({
  what: `grant of ${amount} ${result}`,
  credits: result === 'posted' ? amount : 0,
  slots: 0,
  fits: ({ balance }) => balance + amount >= 0 === (result === 'posted'),
});

function endings(before: Snapshot, after: Snapshot): Event[] {
  const ended = [...after.tasks.values()].filter((task) => {
    const was = before.tasks.get(task.taskId);
    return isTerminal(task) && !(was && isTerminal(was));
  });
  return ended.map(({ taskId, status, cost }) => ({
    what: `end of ${taskId}`,
    credits: status === 'failed' ? cost : 0,
    slots: -1,
    after: before.tasks.has(taskId) ? undefined : birth(taskId),
    fits: () => true,
  }));
}

/** Depth first over the sets of events that have happened: what came of a set does not depend on its order. */
function hasOrder(events: readonly Event[], start: Standing): boolean {
  const all = 2 ** events.length - 1;
  const dead = new Set<number>();
  const has = (done: number, what: string | undefined) =>
    events.some((event, index) => event.what === what && (done & (1 << index)) !== 0);

  function goOn(done: number, standing: Standing): boolean {
    if (done === all) return true;
    if (dead.has(done)) return false;
    const found = events.some((event, index) => {
      if ((done & (1 << index)) !== 0 || !event.fits(standing)) return false;
      if ((event.after !== undefined && !has(done, event.after)) || has(done, event.before)) return false;
      const next = { balance: standing.balance + event.credits, open: standing.open + event.slots };
      return goOn(done | (1 << index), next);
    });
    if (!found) dead.add(done);
    return found;
  }

  return goOn(0, start);
}

export interface Course {
  readonly accountId: string;
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly operationResults: readonly OperationResult[];
}

function eventsOf({ before, after, operationResults }: Course): Event[] {
  return [
    ...endings(before, after),
    ...operationResults.flatMap((operationResult): Event[] => {
      if (operationResult.kind === 'grant') return [posting(operationResult)];
      if (operationResult.kind !== 'create') return [];
      const { code, isReplay } = operationResult.response;
      if (code === '202') return isReplay ? [] : [debit(operationResult)];
      return code === 'UNAUTHORIZED' || code === 'RATE_LIMITED' ? [] : [rejection(operationResult, before, after)];
    }),
  ];
}

/** Every response describes its task correctly, and a repeated request gets the same response. */
function ensureResponses({ before, after, operationResults }: Course): void {
  const born = [...after.tasks.keys()].filter((taskId) => !before.tasks.has(taskId));
  const accepted = operationResults.flatMap((one) =>
    one.kind === 'create' && one.response.code === '202' ? [one] : [],
  );
  const made = accepted.filter(({ response }) => !response.isReplay).map(({ response }) => response.taskId);
  ensure(made.toSorted().join() === born.toSorted().join(), 'each task is somebody’s, and nobody’s twice', {
    made,
    born,
  });
  for (const { order, response } of accepted) {
    const kept = after.keys.filter(({ body }) => body === response.text);
    const isKept = order.key === undefined || kept.some(({ taskId }) => taskId === response.taskId);
    ensure(isKept, 'equal requests get the response stored for their key', { order, response });
    const { clientReference } = after.tasks.get(response.taskId) ?? {};
    ensure(clientReference === order.key, 'a response names the task of its key', { order, response, clientReference });
  }
}

function ensureCancellations({ before, after, operationResults }: Course): void {
  const canceled = operationResults.flatMap((one) =>
    one.kind === 'cancel' && one.response.code === '200' ? [one.taskId] : [],
  );
  ensure(new Set(canceled).size === canceled.length, 'a task is canceled once', canceled);
  for (const taskId of canceled) {
    const was = before.tasks.get(taskId);
    ensure(was !== undefined && !isTerminal(was), 'what was over is not canceled', { taskId, was });
    ensure(after.tasks.get(taskId)?.errorCode === 'CANCELED', 'a confirmed cancellation has canceled the task', taskId);
  }
  for (const one of operationResults) {
    if (one.kind !== 'cancel' || one.response.code !== 'TASK_NOT_CANCELABLE') continue;
    const is = after.tasks.get(one.taskId);
    ensure(is !== undefined && isTerminal(is), 'what is not cancelable is over', { taskId: one.taskId, is });
  }
}

const expectedCodes: Partial<Record<OperationResult['kind'], readonly string[]>> = {
  create: ['202', 'INSUFFICIENT_CREDITS', 'MAX_CONCURRENT_TASKS', 'RATE_LIMITED', 'UNAUTHORIZED'],
  cancel: ['200', 'TASK_NOT_CANCELABLE', 'RATE_LIMITED', 'UNAUTHORIZED'],
};

function ensureCodes({ operationResults }: Course): void {
  const isRevoked = operationResults.some(({ kind }) => kind === 'revoke');
  for (const operationResult of operationResults) {
    if (operationResult.kind === 'deliver') ensure(operationResult.succeeded, 'no message fails', operationResult);
    if (operationResult.kind === 'report')
      ensure(operationResult.status === 200, 'a signed report is taken', operationResult);
    if (operationResult.kind !== 'create' && operationResult.kind !== 'cancel') continue;
    const { code } = operationResult.response;
    ensure(
      expectedCodes[operationResult.kind]?.includes(code) === true,
      'a response is one of the permitted ones',
      operationResult,
    );
    ensure(code !== 'UNAUTHORIZED' || isRevoked, 'a good token is known', operationResult);
  }
}

export function ensureAccounts(course: Course): void {
  ensureCodes(course);
  ensureResponses(course);
  ensureCancellations(course);
  const { accountId, before } = course;
  const { balance = 0, openTasks = [] } = before.accounts.get(accountId) ?? {};
  const events = eventsOf(course);
  const evidence = { balance, open: openTasks.length, events: events.map(({ what }) => what) };
  ensure(
    hasOrder(events, { balance, open: openTasks.length }),
    'there is an order in which every response is correct',
    evidence,
  );
}
