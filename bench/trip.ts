/** A round trip to AWS, and how trips are grouped into sequential rounds. */

export type TripTo = 'DynamoDB' | 'Step Functions';

/** A request to AWS and its response, as seen by a proxy. Times are those of `performance.now()`. */
export interface Trip {
  readonly to: TripTo;
  /** The name of the operation: `GetItem`, `StartExecution`, … */
  readonly operation: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** What DynamoDB would charge for it, including indexes, in write or read units. */
  readonly capacityUnits: number;
}

/**
 * Groups trips into sequential rounds: a trip belongs to a round if it began before the first trip of that round to
 * finish had ended. The number of rounds is the length of the longest chain of trips that do not overlap.
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

/** The name of a round, such as `GetItem + Query`. */
export const roundName = (round: readonly Trip[]): string =>
  round
    .map(({ operation }) => operation)
    .toSorted()
    .join(' + ');
