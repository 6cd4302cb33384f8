/**
 * Whether an account may use a route now: yes, not yet, or for a single task that tests whether the route works again
 * (a probe).
 */
import { type Circuit, currentStreak, openUntil, pauseAfter, pauseForAll, quorum, recentUseOf } from './circuit.ts';

export type Admission =
  | { readonly status: 'closed' }
  /** The route is closed to the account, perhaps because another task is already the probe. */
  | { readonly status: 'open'; readonly until: number }
  /** The task may be the probe if it can store this state of the circuit, in which the probe is taken. */
  | { readonly status: 'half-open'; readonly claimed: Circuit };

/**
 * When an account may be the next to send a probe: an account that has already sent one waits for one pause more, so
 * that it cannot keep the route from others by sending every probe.
 */
const probeForAllFrom = ({ openings, openUntil, probeUntil, votes }: Circuit['streak'], accountId: string): number =>
  Math.max(openUntil, probeUntil) + (accountId in votes ? pauseForAll(openings) : 0);

/**
 * Records that an account has sent a probe. Once enough accounts have, the record is cleared, so that all accounts are
 * equal again.
 */
function withProber({ votes }: Circuit['streak'], accountId: string): Circuit['streak']['votes'] {
  const probers = { ...votes, [accountId]: 1 };
  return Object.keys(probers).length < quorum ? probers : {};
}

/**
 * Decides whether an account may use a route. The end of a probe's task decides about the circuit: a success closes it,
 * and a failure opens it again. If the end says nothing about the engine, the next probe is allowed at once; if the
 * task has not ended in time, after another pause.
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
