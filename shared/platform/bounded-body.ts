/** Response bodies as streams within a byte budget and time budgets. */
import type { IncomingMessage } from 'node:http';
import { addAbortSignal } from 'node:stream';
import { TooManyBytes } from './limit-bytes.ts';

/** No byte arrived within the longest allowed pause. */
export class BodyStalled extends Error {
  override readonly name = 'BodyStalled';
}

export interface BodyBudget {
  readonly maxBytes: number;
  /** A longer body throws {@link TooManyBytes}, or ends at the limit. */
  readonly onOverflow: 'fail' | 'truncate';
  /** The longest wait for the next byte. Time spent by the reader does not count. */
  readonly idleMs: number | undefined;
  readonly signal: AbortSignal;
}

/** Yields at most `maxBytes`; throws when the signal aborts, the body stalls or the connection ends early. */
export async function* boundedBody(
  response: IncomingMessage,
  { maxBytes, onOverflow, idleMs, signal }: BodyBudget,
): AsyncGenerator<Uint8Array, void> {
  let timer: NodeJS.Timeout | undefined;
  const awaitNext = (): void => {
    if (idleMs !== undefined) timer = setTimeout(() => response.destroy(new BodyStalled()), idleMs);
  };
  let remaining = maxBytes;
  try {
    awaitNext();
    for await (const chunk of addAbortSignal(signal, response) as AsyncIterable<Uint8Array>) {
      clearTimeout(timer);
      const part = chunk.subarray(0, remaining);
      remaining -= part.length;
      if (part.length > 0) yield part;
      if (part.length < chunk.length) {
        if (onOverflow === 'fail') throw new TooManyBytes();
        return;
      }
      awaitNext();
    }
  } finally {
    clearTimeout(timer);
  }
}
