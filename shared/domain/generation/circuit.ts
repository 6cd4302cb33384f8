/** The circuit breaker of a route to an engine: which accounts it rejects after repeated engine faults, and until when. */
import type { TaskErrorCode } from '../../contracts/errors.ts';

interface AccountUse {
  /** Tasks of the account in a row that failed because of the engine. */
  readonly failures: number;
  readonly usedAt: number;
  /** Present once the failures opened the circuit for this account; afterwards the next task decides (half-open). */
  readonly openUntil?: number | undefined;
}

/**
 * The failures in a row of all accounts together. It notices an outage after few failures, however many accounts share
 * them and however full the row is.
 */
interface Streak {
  /** How many failures of each account count; a success of any account clears them. */
  readonly votes: Readonly<Record<string, number>>;
  readonly votedAt: number;
  /** How often in a row the streak opened the circuit for everybody, and until when it did so last. */
  readonly openings: number;
  readonly openUntil: number;
}

/** Who failed lately, enough of those who used the route lately to know whether they all fail, and how the route fares. */
export interface Circuit {
  readonly accounts: Readonly<Record<string, AccountUse>>;
  readonly streak: Streak;
}

export const noStreak: Streak = { votes: {}, votedAt: 0, openings: 0, openUntil: 0 };

export const unusedCircuit: Circuit = { accounts: {}, streak: noStreak };

/** Failures in a row of one account that open the circuit for it. */
export const failuresThatOpen = 5;

/** Accounts that must be failing at the same time before the circuit is open for everybody. */
export const quorum = 3;

const firstPauseMs = 30_000;
const longestPauseMs = 300_000;

/** Each failure beyond those that opened the circuit doubles the pause. */
export const pauseAfter = (failures: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.max(0, failures - failuresThatOpen));

/** Twice the longest time limit of a task, so that tasks which time out one after the other still count as a row. */
export const recentMs = 3_600_000;

/** Bounds the size of a circuit's row. */
export const accountsKept = 50;

const recentUses = ({ accounts }: Circuit, now: number): readonly (readonly [string, AccountUse])[] =>
  Object.entries(accounts).filter(([, { usedAt, openUntil = 0 }]) => Math.max(usedAt, openUntil) > now - recentMs);

const currentStreak = ({ streak }: Circuit, now: number): Streak =>
  Math.max(streak.votedAt, streak.openUntil) > now - recentMs ? streak : noStreak;

const pausesOf = ({ accounts }: Circuit, now: number): readonly number[] =>
  Object.values(accounts)
    .map(({ openUntil = 0 }) => openUntil)
    .filter((until) => until > now);

/**
 * When the circuit stops being open for everybody. One vote per account, so that no account can take a route from others:
 * a quorum must be failing, or every recent user where there are fewer, but never one account alone; or the streak opened it.
 */
export function openForAllUntil(circuit: Circuit, now: number): number | undefined {
  const votesNeeded = Math.min(quorum, recentUses(circuit, now).length);
  const pauses = votesNeeded < 2 ? [] : pausesOf(circuit, now).toSorted((one, other) => other - one);
  const until = Math.max(pauses[votesNeeded - 1] ?? 0, circuit.streak.openUntil);
  return until > now ? until : undefined;
}

/** When the circuit stops being open for an account; undefined if the account may use the route now. */
export function openUntil(circuit: Circuit, accountId: string, now: number): number | undefined {
  const until = Math.max(circuit.accounts[accountId]?.openUntil ?? 0, openForAllUntil(circuit, now) ?? 0);
  return until > now ? until : undefined;
}

/** The state shown to operators: open for everybody, for some accounts, or for none. */
export function stateOf(circuit: Circuit, now: number): 'closed' | 'open' | 'open for some accounts' {
  if (openForAllUntil(circuit, now) !== undefined) return 'open';
  return pausesOf(circuit, now).length > 0 ? 'open for some accounts' : 'closed';
}

/** When the row is full, those who failed most stay, so that a fault which hits many accounts is still noticed. */
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

/**
 * Each account has as many votes as open the circuit for itself, so it takes a quorum to open it for everybody. After the
 * pause each has one vote (half-open), so it takes a quorum again.
 */
function afterVote(streak: Streak, { accountId }: EndedTask, now: number): Streak {
  const votesEach = streak.openings > 0 ? 1 : failuresThatOpen;
  const votesOfAccount = streak.votes[accountId] ?? 0;
  if (votesOfAccount >= votesEach) return streak;
  const votes = { ...streak.votes, [accountId]: votesOfAccount + 1 };
  const total = Object.values(votes).reduce((sum, count) => sum + count, 0);
  if (total < quorum * votesEach) return { ...streak, votes, votedAt: now };
  const openings = streak.openings + 1;
  return { votes: {}, votedAt: now, openings, openUntil: now + pauseAfter(failuresThatOpen - 1 + openings) };
}

/** The circuit after a task failed because of its engine; undefined if that changes nothing. */
export function afterFailure(circuit: Circuit, task: EndedTask, now: number): Circuit | undefined {
  const { accountId, createdAt } = task;
  if (openUntil(circuit, accountId, now) !== undefined) return undefined;
  const known = recentUses(circuit, now).find(([id]) => id === accountId)?.[1];
  const streak = currentStreak(circuit, now);
  // A task from before a pause is no evidence about the engine after it.
  if (createdAt < Math.max(known?.openUntil ?? 0, streak.openUntil)) return undefined;
  const failures = (known?.failures ?? 0) + 1;
  const opens = failures >= failuresThatOpen;
  const use = { failures, usedAt: now, ...(opens && { openUntil: now + pauseAfter(failures) }) };
  return { ...withUse(circuit, accountId, use, now), streak: afterVote(streak, task, now) };
}

/** Whether a failure opened a closed circuit, for its account or for everybody. */
export const hasOpened = (before: Circuit, { accounts, streak }: Circuit, accountId: string): boolean =>
  accounts[accountId]?.failures === failuresThatOpen ||
  (streak.openings === 1 && streak.openUntil > before.streak.openUntil);

/**
 * The circuit after a task was completed; undefined if that changes nothing. Users without failures are recorded at most
 * twice in a period, and no more of them than a quorum, and a streak is cleared once, so that a success seldom writes.
 */
export function afterSuccess(
  circuit: Circuit,
  { accountId }: Pick<EndedTask, 'accountId'>,
  now: number,
): Circuit | undefined {
  const fresh = recentUses(circuit, now).filter(([, { usedAt }]) => usedAt > now - recentMs / 2);
  const hasFailed = (circuit.accounts[accountId]?.failures ?? 0) > 0;
  const isKnown = !hasFailed && (fresh.length >= quorum || fresh.some(([id]) => id === accountId));
  if (!isKnown) return withUse({ ...circuit, streak: noStreak }, accountId, { failures: 0, usedAt: now }, now);
  return circuit.streak.votedAt > 0 ? { ...circuit, streak: noStreak } : undefined;
}

/** What the end of a task says about its engine. */
export type Verdict = 'works' | 'fails' | 'nothing';

const engineFaults: readonly TaskErrorCode[] = ['PROVIDER_ERROR', 'PROVIDER_TIMEOUT'];

/** `code` is undefined for a completed task. A rejected input, a cancellation and our own faults never count. */
export function verdictOf(code: TaskErrorCode | undefined): Verdict {
  if (code === undefined) return 'works';
  return engineFaults.includes(code) ? 'fails' : 'nothing';
}
