/** Whether an account may use a route now: always, not yet, or for one task that probes whether the route works again. */
import { type Circuit, currentStreak, openUntil, pauseAfter, pauseForAll, quorum, recentUseOf } from './circuit.ts';

export type Admission =
  | { readonly status: 'closed' }
  /** Also if another task is probing the route. */
  | { readonly status: 'open'; readonly until: number }
  /** The task may probe the route if it can store this circuit, in which the probe is taken. */
  | { readonly status: 'half-open'; readonly claimed: Circuit };

/**
 * An account that has probed lets others go first for one more pause, so that no account can keep a route from others by
 * taking every probe.
 */
const probeForAllFrom = ({ openings, openUntil, probeUntil, votes }: Circuit['streak'], accountId: string): number =>
  Math.max(openUntil, probeUntil) + (accountId in votes ? pauseForAll(openings) : 0);

/** Records who has probed; once a quorum has, all accounts are equal again. */
function withProber({ votes }: Circuit['streak'], accountId: string): Circuit['streak']['votes'] {
  const probers = { ...votes, [accountId]: 1 };
  return Object.keys(probers).length < quorum ? probers : {};
}

/**
 * A probe decides when its task ends: a success closes the circuit, and a failure opens it again. If it says nothing of
 * the engine, the next probe is due at once; if not in time, after another pause.
 */
export function admitAccount(circuit: Circuit, accountId: string, now: number): Admission {
  const use = recentUseOf(circuit, accountId, now);
  const streak = currentStreak(circuit, now);
  const isOwn = use?.openUntil !== undefined;
  const isForAll = streak.openings > 0;
  const until = Math.max(
    openUntil(circuit, accountId, now) ?? 0,
    use?.probeUntil ?? 0,
    isForAll ? probeForAllFrom(streak, accountId) : 0,
  );
  if (until > now) return { status: 'open', until };
  if (!isOwn && !isForAll) return { status: 'closed' };
  return {
    status: 'half-open',
    claimed: {
      ...circuit,
      ...(isOwn && {
        accounts: { ...circuit.accounts, [accountId]: { ...use, probeUntil: now + pauseAfter(use.failures) } },
      }),
      ...(isForAll && {
        streak: { ...streak, votes: withProber(streak, accountId), probeUntil: now + pauseForAll(streak.openings) },
      }),
    },
  };
}
