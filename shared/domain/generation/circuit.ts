/** The circuit breaker of a route: which accounts it rejects after repeated engine faults, and until when. */
import type { TaskErrorCode } from '../../contracts/errors.ts';

interface AccountUse {
  /** How many consecutive tasks of the account failed because of the engine. */
  readonly failures: number;
  readonly usedAt: number;
  /**
   * When the pause ends; present once failures have opened the circuit for this account. After that time, one task at a
   * time probes the route (half-open).
   */
  readonly openUntil?: number | undefined;
  /** Until when no other task of the account may probe the route. */
  readonly probeUntil?: number | undefined;
}

/**
 * Consecutive failures of all accounts together. They reveal an outage after few failures, even if these are spread
 * over many accounts, or over more than the row can record.
 */
interface Streak {
  /**
   * How many failures each account has contributed; a success of any account resets them. Once they have opened the
   * circuit: the accounts that have probed the route since.
   */
  readonly votes: Readonly<Record<string, number>>;
  readonly votedAt: number;
  /** How many times in succession the circuit was opened for all accounts, and until when it was opened last. */
  readonly openings: number;
  readonly openUntil: number;
  /** Until when no other task of any account may probe the route. */
  readonly probeUntil: number;
}

/** The circuit: the failures of all accounts together, and of each account that failed recently. */
export interface Circuit {
  /** The version, which each change of the stored circuit increments. */
  readonly version: number;
  readonly accounts: Readonly<Record<string, AccountUse>>;
  readonly streak: Streak;
}

export const noStreak: Streak = { votes: {}, votedAt: 0, openings: 0, openUntil: 0, probeUntil: 0 };

export const unusedCircuit: Circuit = { version: 0, accounts: {}, streak: noStreak };

/** Consecutive failures of one account that open the circuit for it. */
export const failuresThatOpen = 5;

/** How many accounts must fail, without a success of any, to open the circuit for all. */
export const quorum = 3;

const firstPauseMs = 30_000;
export const longestPauseMs = 300_000;

/** The pause before the circuit is half-open; it doubles with each failure beyond those that opened it. */
export const pauseAfter = (failures: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.max(0, failures - failuresThatOpen));

/**
 * How long an account's use counts as recent: twice the longest time limit of a task, so that tasks which time out one
 * after another still count as consecutive.
 */
export const recentMs = 3_600_000;

/** How many accounts a circuit's row records at most, to limit its size. */
export const accountsKept = 50;

const recentUses = ({ accounts }: Circuit, now: number): readonly (readonly [string, AccountUse])[] =>
  Object.entries(accounts).filter(([, { usedAt, openUntil = 0 }]) => Math.max(usedAt, openUntil) > now - recentMs);

export const currentStreak = ({ streak }: Circuit, now: number): Streak =>
  Math.max(streak.votedAt, streak.openUntil) > now - recentMs ? streak : noStreak;

/** What the circuit records of an account that used the route recently. */
export const recentUseOf = (circuit: Circuit, accountId: string, now: number): AccountUse | undefined =>
  recentUses(circuit, now).find(([id]) => id === accountId)?.[1];

const pausesOf = ({ accounts }: Circuit, now: number): readonly number[] =>
  Object.values(accounts)
    .map(({ openUntil = 0 }) => openUntil)
    .filter((until) => until > now);

/**
 * Until when the circuit is open for all accounts. Only consecutive failures of several accounts open it, and a success
 * of any account ends these: however many accounts fail, they cannot close a route to an account for which it works.
 */
export function openForAllUntil({ streak }: Circuit, now: number): number | undefined {
  return streak.openUntil > now ? streak.openUntil : undefined;
}

/** Until when the circuit is open for an account; undefined if it is closed or half-open. */
export function openUntil(circuit: Circuit, accountId: string, now: number): number | undefined {
  const until = Math.max(circuit.accounts[accountId]?.openUntil ?? 0, openForAllUntil(circuit, now) ?? 0);
  return until > now ? until : undefined;
}

/** The state as operators see it: open for all accounts, half-open for all, open for some, or closed. */
export function stateOf(circuit: Circuit, now: number): 'closed' | 'half-open' | 'open' | 'open for some accounts' {
  if (openForAllUntil(circuit, now) !== undefined) return 'open';
  if (currentStreak(circuit, now).openings > 0) return 'half-open';
  return pausesOf(circuit, now).length > 0 ? 'open for some accounts' : 'closed';
}

/** Records an account's failures. If the row is full, the accounts with the most failures stay. */
function withUse(circuit: Circuit, accountId: string, use: AccountUse, now: number): Circuit {
  const others = recentUses(circuit, now).filter(([id]) => id !== accountId);
  const kept = [...others, [accountId, use] as const]
    .toSorted(([, one], [, other]) => other.failures - one.failures || one.usedAt - other.usedAt)
    .slice(0, accountsKept);
  return { ...circuit, accounts: Object.fromEntries(kept) };
}

interface EndedTask {
  readonly accountId: string;
  readonly createdAt: number;
}

/** The pause for all accounts, after the circuit was opened for all this many times in succession. */
export const pauseForAll = (openings: number): number => pauseAfter(failuresThatOpen - 1 + openings);

const opened = (streak: Streak, votes: Streak['votes'], now: number): Streak => {
  const openings = streak.openings + 1;
  return { votes, votedAt: now, openings, openUntil: now + pauseForAll(openings), probeUntil: 0 };
};

/**
 * Counts a failure among those of all accounts together. Of each account, only as many failures count as would open the
 * circuit for that account alone, so several accounts are needed to open it for all. After a pause, the failure of a
 * single probe opens it again.
 */
function afterVote(streak: Streak, { accountId }: EndedTask, now: number): Streak {
  if (streak.openings > 0) return opened(streak, streak.votes, now);
  const votesOfAccount = streak.votes[accountId] ?? 0;
  if (votesOfAccount >= failuresThatOpen) return streak;
  const votes = { ...streak.votes, [accountId]: votesOfAccount + 1 };
  const total = Object.values(votes).reduce((sum, count) => sum + count, 0);
  return total < quorum * failuresThatOpen ? { ...streak, votes, votedAt: now } : opened(streak, {}, now);
}

/** The circuit after a task failed because of its engine; undefined if it does not change. */
export function afterFailure(circuit: Circuit, task: EndedTask, now: number): Circuit | undefined {
  const { accountId, createdAt } = task;
  if (openUntil(circuit, accountId, now) !== undefined) return undefined;
  const known = recentUseOf(circuit, accountId, now);
  const streak = currentStreak(circuit, now);
  // A task that was created before the end of a pause says nothing about the state of the engine after the pause.
  if (createdAt < Math.max(known?.openUntil ?? 0, streak.openUntil)) return undefined;
  const failures = (known?.failures ?? 0) + 1;
  const opens = failures >= failuresThatOpen;
  const use = { failures, usedAt: now, ...(opens && { openUntil: now + pauseAfter(failures) }) };
  return { ...withUse(circuit, accountId, use, now), streak: afterVote(streak, task, now) };
}

/** Whether a failure opened a closed circuit, for its account or for all. */
export const hasOpened = (before: Circuit, { accounts, streak }: Circuit, accountId: string): boolean =>
  accounts[accountId]?.failures === failuresThatOpen ||
  (streak.openings === 1 && streak.openUntil > before.streak.openUntil);

/** The circuit after a completed task; undefined if it does not change, as long as nothing fails. */
export function afterSuccess(circuit: Circuit, { accountId }: Pick<EndedTask, 'accountId'>): Circuit | undefined {
  const { [accountId]: failed, ...accounts } = circuit.accounts;
  return failed || circuit.streak.votedAt > 0 ? { ...circuit, accounts, streak: noStreak } : undefined;
}

/**
 * The circuit after a task whose end says nothing about its engine; undefined if the task was no probe. The next probe
 * is allowed at once: to any task of the account if the circuit is open for this account, and to other accounts if it
 * is open for all.
 */
export function afterNothing(circuit: Circuit, { accountId, createdAt }: EndedTask, now: number): Circuit | undefined {
  const use = circuit.accounts[accountId];
  const { streak } = circuit;
  // No other task is created while a probe is in progress.
  const isSince = (probeUntil: number, pauseMs: number) => probeUntil > now && createdAt >= probeUntil - pauseMs;
  const isOwn = isSince(use?.probeUntil ?? 0, pauseAfter(use?.failures ?? 0));
  const isForAll = isSince(streak.probeUntil, pauseForAll(streak.openings));
  if (!isOwn && !isForAll) return undefined;
  return {
    ...circuit,
    ...(isOwn && use && { accounts: { ...circuit.accounts, [accountId]: { ...use, probeUntil: now } } }),
    ...(isForAll && { streak: { ...streak, probeUntil: now } }),
  };
}

/** What the end of a task says about its engine. */
export type Verdict = 'works' | 'fails' | 'nothing';

const engineFaults: readonly TaskErrorCode[] = ['PROVIDER_ERROR', 'PROVIDER_TIMEOUT'];

/**
 * The verdict on a task's engine; `code` is undefined for a completed task. Rejected inputs, cancellations and the
 * service's own faults never count.
 */
export function verdictOf(code: TaskErrorCode | undefined): Verdict {
  if (code === undefined) return 'works';
  return engineFaults.includes(code) ? 'fails' : 'nothing';
}

/** How many accounts the circuit is open for. */
export const openForSome = (circuit: Circuit, now: number): number => pausesOf(circuit, now).length;
