/** Reads the beginning of a stream without consuming it. */
import { growingBlock } from './growing-block.ts';

export interface PeekedStream {
  /** The first bytes: as many as requested, or fewer if those sufficed or the stream ended. */
  readonly head: Uint8Array;
  /** What follows the head: more bytes, the end, or a failure. */
  readonly next: 'more' | 'end' | 'failure';
  readonly failure: unknown;
  /** The whole stream from its first byte; throws where the stream failed. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the stream without reading the rest. */
  close(): Promise<void>;
}

interface Peek {
  readonly maxBytes: number;
  /** Whether the bytes so far suffice; called each time their number has doubled, so that tiny chunks stay cheap. */
  readonly isEnough?: (soFar: Uint8Array) => boolean;
}

/** Reads the head of a stream. If the stream fails, the error is thrown to the reader of the body instead. */
export async function peekStream(
  stream: AsyncIterable<Uint8Array>,
  { maxBytes, isEnough = () => false }: Peek,
): Promise<PeekedStream> {
  const iterator = stream[Symbol.asyncIterator]();
  const block = growingBlock(maxBytes);
  let rest: Uint8Array = new Uint8Array();
  let next: PeekedStream['next'] = 'more';
  let failure: unknown;
  for (let nextCheck = 1; block.bytes().length < maxBytes; ) {
    const result = await iterator.next().catch((error: unknown) => {
      failure = error;
      return undefined;
    });
    if (!result || result.done) {
      next = result ? 'end' : 'failure';
      break;
    }
    rest = block.add(result.value);
    const { length } = block.bytes();
    if (length < nextCheck) continue;
    if (isEnough(block.bytes())) break;
    nextCheck = length * 2;
  }
  const head = block.bytes();
  async function* body() {
    if (head.length > 0) yield head;
    if (rest.length > 0) yield rest;
    if (next === 'failure') throw failure;
    if (next === 'more') yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return {
    head,
    next,
    failure,
    body: body(),
    async close() {
      await iterator.return?.();
    },
  };
}
