/** Reads response bodies as streams within limits of size and time. */
import type { IncomingMessage } from 'node:http';
import { addAbortSignal } from 'node:stream';
import { TooManyBytes } from './limit-bytes.ts';

/** The error if no byte arrived within the longest allowed pause. */
export class BodyStalled extends Error {
  override readonly name = 'BodyStalled';
}

export interface BodyBudget {
  readonly maxBytes: number;
  /** Whether a body beyond the limit throws {@link TooManyBytes} or is truncated. */
  readonly onOverflow: 'fail' | 'truncate';
  /** The longest wait for the next byte, excluding time spent by the reader. */
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
