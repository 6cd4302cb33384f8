/** Reads response bodies as streams within limits of size and time. */
import type { IncomingMessage } from 'node:http';
import { addAbortSignal } from 'node:stream';
import { TooManyBytes } from './limit-bytes.ts';

/** The error if no byte arrived within the longest allowed pause. */
export class BodyStalled extends Error {
  override readonly name = 'BodyStalled';
}

/**
 * How many bytes of the connection a body may take: one in chunks of a few bytes each takes several times its size, and
 * almost all of the time goes into parsing. Chunks of a hundred bytes add a sixteenth, and TLS less than that. Some
 * bytes are received before they are read.
 */
export const mostReceived = (bodyBytes: number): number => (17 / 16) * bodyBytes + 256 * 1024;

export interface BodyBudget {
  readonly maxBytes: number;
  /** Whether a body beyond the limit throws {@link TooManyBytes} or is truncated. */
  readonly onOverflow: 'fail' | 'truncate';
  /** The longest wait for the next byte, excluding time spent by the reader. */
  readonly idleMs: number | undefined;
  readonly signal: AbortSignal;
  /** The number of bytes that the connection has received so far. */
  readonly received: () => number;
}

/**
 * Yields at most `maxBytes`; throws when the signal aborts, the body stalls or comes in very small chunks, or the
 * connection ends early.
 */
export async function* boundedBody(
  response: IncomingMessage,
  { maxBytes, onOverflow, idleMs, signal, received }: BodyBudget,
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
      if (received() > mostReceived(maxBytes - remaining)) throw new Error('the body takes too many bytes');
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
