/** One way to AWS and back, and how several of them wait for each other. */

export type TripTo = 'DynamoDB' | 'Step Functions';

/** One request to AWS and its answer, as seen from between the two. Times are those of `performance.now()`. */
export interface Trip {
  readonly to: TripTo;
  /** `GetItem`, `StartExecution`, … */
  readonly operation: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** What DynamoDB would charge for it, indexes included: write or read units, whichever the operation takes. */
  readonly capacityUnits: number;
}

/**
 * Trips in the rounds in which they wait for each other: to a round belongs what began before the first of it had
 * ended. There are as many rounds as the longest chain of trips that do not overlap has links.
 */
export function roundsOf(trips: readonly Trip[]): Trip[][] {
  const rounds: Trip[][] = [];
  let rest = trips;
  while (rest.length > 0) {
    const end = Math.min(...rest.map(({ endedAt }) => endedAt));
    rounds.push(rest.filter(({ startedAt }) => startedAt < end));
    rest = rest.filter(({ startedAt }) => startedAt >= end);
  }
  return rounds;
}

/** The names of a round's trips: `GetItem + Query`. */
export const roundName = (round: readonly Trip[]): string =>
  round
    .map(({ operation }) => operation)
    .toSorted()
    .join(' + ');
