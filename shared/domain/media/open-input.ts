/** Opens an input file as a stream, within the limits of its field. */
import type { InputLimits } from '../../contracts/media.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { OutboundRequest, OutboundStream } from '../../platform/safe-fetch.ts';
import { type MediaProblem, problemOfFailure, unreachable } from './media-problem.ts';

type TimeBudget = Pick<OutboundRequest, 'timeoutMs' | 'idleMs'>;

/** Opens the file. Up to three redirects are followed, and each URL is checked. */
export async function openInput(
  { open }: Pick<Outbound, 'open'>,
  url: string,
  limits: InputLimits,
  budget: TimeBudget,
): Promise<OutboundStream | MediaProblem> {
  const bounds = { maxResponseBytes: limits.maxBytes, onOverflow: 'fail', maxRedirects: 3 } as const;
  try {
    const stream = await open(url, { method: 'GET', ...bounds, ...budget });
    if (stream.status === 200) return stream;
    stream.close();
    return unreachable(`the server responded with status ${stream.status}`);
  } catch (error) {
    return problemOfFailure(error, limits);
  }
}
