/** Polls until there is a result. */
import type { AnyRequest } from './call.ts';
import type { Clock } from './clock.ts';
import { TimeoutError } from './errors.ts';

/** The options of the calls that poll. */
export type PollOptions = Pick<AnyRequest, 'signal' | 'timeoutSeconds' | 'maxRetries'>;

interface Limits {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutSeconds?: number | undefined;
}

const longestPauseMs = 30_000;
/** How long the retries of one poll may take: an outage of that length does not end the wait. */
const outage = { maxRetries: 10, timeoutSeconds: 300 };

/** The pause after all polls of a round: what the service suggests, or else a pause that grows. */
export function pauseMsAfter(clock: Clock, round: number, hintsSeconds: readonly (number | undefined)[]): number {
  const given = hintsSeconds.filter((hint) => hint !== undefined);
  if (given.length === 0) return Math.min(longestPauseMs, 1000 * 1.5 ** round);
  return Math.min(...given) * (1000 + 100 * clock.random());
}

/**
 * A poll gives its result, or the milliseconds until the next poll.
 * @throws {TimeoutError} after a last poll at the end of the time
 */
export async function pollUntil<Result extends object>(
  clock: Clock,
  firstMs: number,
  { signal, timeoutSeconds = Infinity }: Limits,
  poll: (round: number, options: PollOptions) => Promise<Result | number>,
): Promise<Result> {
  const deadline = clock.now() + timeoutSeconds * 1000;
  const options = { ...outage, signal };
  let pauseMs = firstMs;
  for (let round = 0; ; round += 1) {
    if (pauseMs > 0) await clock.wait(Math.min(pauseMs, deadline - clock.now()), signal);
    const outcome = await poll(round, options);
    if (typeof outcome === 'object') return outcome;
    if (clock.now() >= deadline) throw new TimeoutError(`The tasks did not end within ${timeoutSeconds} seconds.`);
    pauseMs = outcome;
  }
}
