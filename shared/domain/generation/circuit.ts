/** The circuit breaker of a route to an engine: which accounts it rejects after repeated engine faults, and until when. */
import type { TaskErrorCode } from '../../contracts/errors.ts';

interface AccountUse {
  /** Tasks of the account in a row that failed because of the engine. */
  readonly failures: number;
  readonly usedAt: number;
  /** Present once the failures opened the circuit for this account; afterwards the next task decides (half-open). */
  readonly openUntil?: number | undefined;
}

/** Who failed lately, and enough of those who used the route lately to know whether they all fail. */
export interface Circuit {
  readonly accounts: Readonly<Record<string, AccountUse>>;
}

export const unusedCircuit: Circuit = { accounts: {} };

/** Failures in a row of one account that open the circuit for it. */
export const failuresThatOpen = 5;

/** Accounts for which the circuit must be open at the same time before it is open for everybody. */
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

const pausesOf = ({ accounts }: Circuit, now: number): readonly number[] =>
  Object.values(accounts)
    .map(({ openUntil = 0 }) => openUntil)
    .filter((until) => until > now);

/**
 * When the circuit stops being open for everybody. One vote per account, so that no account can take a route from others:
 * a quorum must be failing, or every recent user where there are fewer, but never one account alone.
 */
export function openForAllUntil(circuit: Circuit, now: number): number | undefined {
  const votesNeeded = Math.min(quorum, recentUses(circuit, now).length);
  if (votesNeeded < 2) return undefined;
  return pausesOf(circuit, now).toSorted((one, other) => other - one)[votesNeeded - 1];
}

/** When the circuit stops being open for an account; undefined if the account may use the route now. */
export function openUntil(circuit: Circuit, accountId: string, now: number): number | undefined {
  const until = Math.max(circuit.accounts[accountId]?.openUntil ?? 0, openForAllUntil(circuit, now) ?? 0);
  return until > now ? until : undefined;
}

/** What operators are shown: open for everybody, for some accounts, or for none. */
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
  return { accounts: Object.fromEntries(kept) };
}

interface EndedTask {
  readonly accountId: string;
  readonly createdAt: number;
}

/** The circuit after a task failed because of its engine; undefined if that changes nothing. */
export function afterFailure(circuit: Circuit, { accountId, createdAt }: EndedTask, now: number): Circuit | undefined {
  if (openUntil(circuit, accountId, now) !== undefined) return undefined;
  const known = recentUses(circuit, now).find(([id]) => id === accountId)?.[1];
  // A task from before the pause says nothing about the engine after it.
  if (known?.openUntil !== undefined && createdAt < known.openUntil) return undefined;
  const failures = (known?.failures ?? 0) + 1;
  const opens = failures >= failuresThatOpen;
  const use = { failures, usedAt: now, ...(opens && { openUntil: now + pauseAfter(failures) }) };
  return withUse(circuit, accountId, use, now);
}

/**
 * The circuit after a task was completed; undefined if that changes nothing. Users without failures are recorded at most
 * twice in a period, and no more of them than a quorum, so that a success seldom writes.
 */
export function afterSuccess(
  circuit: Circuit,
  { accountId }: Pick<EndedTask, 'accountId'>,
  now: number,
): Circuit | undefined {
  const fresh = recentUses(circuit, now).filter(([, { usedAt }]) => usedAt > now - recentMs / 2);
  const hasFailed = (circuit.accounts[accountId]?.failures ?? 0) > 0;
  if (!hasFailed && (fresh.length >= quorum || fresh.some(([id]) => id === accountId))) return undefined;
  return withUse(circuit, accountId, { failures: 0, usedAt: now }, now);
}

/** What the end of a task says about its engine. */
export type Verdict = 'works' | 'fails' | 'nothing';

const engineFaults: readonly TaskErrorCode[] = ['PROVIDER_ERROR', 'PROVIDER_TIMEOUT'];

/** `code` is undefined for a completed task. A rejected input, a cancellation and our own faults never count. */
export function verdictOf(code: TaskErrorCode | undefined): Verdict {
  if (code === undefined) return 'works';
  return engineFaults.includes(code) ? 'fails' : 'nothing';
}
