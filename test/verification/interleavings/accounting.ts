/** Whether the answers that operations gave add up: there must be an order in which each was right when it was given. */
import { simultaneousTasks } from '../../../shared/contracts/limits.ts';
import { isTerminal } from '../../../shared/domain/tasks/task.ts';
import { hold } from '../model/invariants.ts';
import type { Snapshot } from '../model/snapshot.ts';
import type { Happening } from './operations.ts';

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

type Creation = Extract<Happening, { kind: 'create' }>;

const birth = (taskId: string): string => `birth of ${taskId}`;

const debit = ({ order: { cost }, told: { taskId } }: Creation): Event => ({
  what: birth(taskId),
  credits: -cost,
  slots: 1,
  fits: ({ balance, open }) => balance >= cost && open < simultaneousTasks,
});

/** Credits come before slots, and a key that stands for a task is never refused. */
const refusal = ({ order: { cost, key }, told: { code } }: Creation, before: Snapshot, after: Snapshot): Event => {
  const keyed = [...after.tasks.values()].find(({ clientReference }) => key !== undefined && clientReference === key);
  return {
    what: `refusal ${code}`,
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

const posting = ({ amount, result }: Extract<Happening, { kind: 'grant' }>): Event => ({
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
  readonly happenings: readonly Happening[];
}

function eventsOf({ before, after, happenings }: Course): Event[] {
  return [
    ...endings(before, after),
    ...happenings.flatMap((happening): Event[] => {
      if (happening.kind === 'grant') return [posting(happening)];
      if (happening.kind !== 'create') return [];
      const { code, isReplay } = happening.told;
      if (code === '202') return isReplay ? [] : [debit(happening)];
      return code === 'UNAUTHORIZED' || code === 'RATE_LIMITED' ? [] : [refusal(happening, before, after)];
    }),
  ];
}

/** Every answer tells the truth about a task that was born, and who repeats a request gets the very same. */
function holdAnswers({ before, after, happenings }: Course): void {
  const born = [...after.tasks.keys()].filter((taskId) => !before.tasks.has(taskId));
  const accepted = happenings.flatMap((one) => (one.kind === 'create' && one.told.code === '202' ? [one] : []));
  const made = accepted.filter(({ told }) => !told.isReplay).map(({ told }) => told.taskId);
  hold(made.toSorted().join() === born.toSorted().join(), 'each task is somebody’s, and nobody’s twice', {
    made,
    born,
  });
  for (const { order, told } of accepted) {
    const kept = after.keys.filter(({ body }) => body === told.text);
    const isKept = order.key === undefined || kept.some(({ taskId }) => taskId === told.taskId);
    hold(isKept, 'equal requests get the answer that is kept for their key', { order, told });
    const { clientReference } = after.tasks.get(told.taskId) ?? {};
    hold(clientReference === order.key, 'an answer is about the task of its key', { order, told, clientReference });
  }
}

function holdCancellations({ before, after, happenings }: Course): void {
  const canceled = happenings.flatMap((one) => (one.kind === 'cancel' && one.told.code === '200' ? [one.taskId] : []));
  hold(new Set(canceled).size === canceled.length, 'a task is canceled once', canceled);
  for (const taskId of canceled) {
    const was = before.tasks.get(taskId);
    hold(was !== undefined && !isTerminal(was), 'what was over is not canceled', { taskId, was });
    hold(after.tasks.get(taskId)?.errorCode === 'CANCELED', 'who is told of a cancellation has canceled', taskId);
  }
  for (const one of happenings) {
    if (one.kind !== 'cancel' || one.told.code !== 'TASK_NOT_CANCELABLE') continue;
    const is = after.tasks.get(one.taskId);
    hold(is !== undefined && isTerminal(is), 'what is not cancelable is over', { taskId: one.taskId, is });
  }
}

const expectedCodes: Partial<Record<Happening['kind'], readonly string[]>> = {
  create: ['202', 'INSUFFICIENT_CREDITS', 'MAX_CONCURRENT_TASKS', 'RATE_LIMITED', 'UNAUTHORIZED'],
  cancel: ['200', 'TASK_NOT_CANCELABLE', 'RATE_LIMITED', 'UNAUTHORIZED'],
};

function holdCodes({ happenings }: Course): void {
  const isRevoked = happenings.some(({ kind }) => kind === 'revoke');
  for (const happening of happenings) {
    if (happening.kind === 'deliver') hold(happening.succeeded, 'no message fails', happening);
    if (happening.kind === 'report') hold(happening.status === 200, 'a signed report is taken', happening);
    if (happening.kind !== 'create' && happening.kind !== 'cancel') continue;
    const { code } = happening.told;
    hold(expectedCodes[happening.kind]?.includes(code) === true, 'an answer is one of those that may be', happening);
    hold(code !== 'UNAUTHORIZED' || isRevoked, 'a good token is known', happening);
  }
}

export function holdAccounts(course: Course): void {
  holdCodes(course);
  holdAnswers(course);
  holdCancellations(course);
  const { accountId, before } = course;
  const { balance = 0, openTasks = [] } = before.accounts.get(accountId) ?? {};
  const events = eventsOf(course);
  const evidence = { balance, open: openTasks.length, events: events.map(({ what }) => what) };
  hold(hasOrder(events, { balance, open: openTasks.length }), 'there is an order in which every answer fits', evidence);
}
