/** Outcomes of requests to a payment gateway in memory. */
import { setImmediate as turn } from 'node:timers/promises';

/** The outcome of the next request: done, done with its response lost, not done, or rejected. */
export type GatewayOutcome = 'responds' | 'is lost' | 'is down' | 'refuses';

/** An error that a test injects, as opposed to a bug. */
export class InjectedFault extends Error {
  override readonly name = 'InjectedFault';
}

/** Performs a request and responds, as far as its outcome allows; other requests may run in between. */
export const respondingBy =
  (outcome: GatewayOutcome) =>
  async <Response>(work: () => Response): Promise<Response> => {
    await turn();
    if (outcome === 'is down') throw new InjectedFault('no connection');
    const response = work();
    await turn();
    if (outcome === 'is lost') throw new InjectedFault('the response was lost');
    return response;
  };

export const changedBetween = <Changed extends { readonly changedAt: number }>(
  all: Iterable<Changed>,
  from: number,
  until = Number.POSITIVE_INFINITY,
): Changed[] => [...all].filter(({ changedAt }) => changedAt >= from && changedAt < until);
