/** Reading the head of a stream, and then the whole stream. */
import { describe, expect, test } from 'vitest';
import { peekStream } from '../../shared/platform/peek-stream.ts';

/** A stream of chunks, which may fail at its end; it records how far it was read and whether it was closed. */
function source(chunks: readonly string[], failure?: Error) {
  const state = { given: 0, closed: false };
  async function* stream() {
    try {
      for (const chunk of chunks) {
        state.given += 1;
        yield Buffer.from(chunk);
      }
      if (failure) throw failure;
    } finally {
      state.closed = true;
    }
  }
  return { stream: stream(), state };
}

const text = async (body: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(body)).toString();

test.for([
  [['abc', 'def', 'ghi'], 4, 'abcd', 'more'],
  [['abc', 'def'], 6, 'abcdef', 'more'],
  [['abc', 'def'], 7, 'abcdef', 'end'],
  [[], 7, '', 'end'],
] as const)(
  'peeking at a stream of %j for up to %i bytes returns its head, and the whole stream can still be read',
  async ([chunks, maxBytes, head, next]) => {
    const peeked = await peekStream(source(chunks).stream, { maxBytes });
    expect(Buffer.from(peeked.head).toString()).toBe(head);
    expect(peeked.next).toBe(next);
    expect(await text(peeked.body)).toBe(chunks.join(''));
  },
);

test('peeking at a stream reads only as many bytes as needed', async () => {
  const { stream, state } = source(['ab', 'cd', 'ef', 'gh', 'ij']);
  const peeked = await peekStream(stream, { maxBytes: 100, isEnough: (soFar) => soFar.length >= 4 });
  expect(state.given).toBe(2);
  expect(await text(peeked.body)).toBe('abcdefghij');
});

test('peeking at a stream checks only a few times whether it has enough bytes, however small the chunks', async () => {
  const lengths: number[] = [];
  const { stream } = source(Array.from({ length: 20_000 }, () => 'x'));
  const isEnough = (soFar: Uint8Array) => {
    lengths.push(soFar.length);
    return false;
  };
  await peekStream(stream, { maxBytes: 16_384, isEnough });
  expect(lengths).toEqual(Array.from({ length: 15 }, (_, power) => 2 ** power));
});

describe('a failing stream that was peeked at', () => {
  test('returns the bytes before a failure during the peek, and fails after those bytes when it is read', async () => {
    const failure = new Error('broken');
    const peeked = await peekStream(source(['abc'], failure).stream, { maxBytes: 10 });
    expect([Buffer.from(peeked.head).toString(), peeked.next, peeked.failure]).toEqual(['abc', 'failure', failure]);
    const parts: string[] = [];
    const reading = (async () => {
      for await (const part of peeked.body) parts.push(Buffer.from(part).toString());
    })();
    await expect(reading).rejects.toBe(failure);
    expect(parts).toEqual(['abc']);
  });

  test('fails only when it is read if the failure comes after the peek', async () => {
    const failure = new Error('broken');
    const peeked = await peekStream(source(['abc', 'def'], failure).stream, { maxBytes: 3 });
    await expect(text(peeked.body)).rejects.toBe(failure);
  });
});

test('a peeked stream that is closed is not read any further', async () => {
  const { stream, state } = source(['abc', 'def']);
  const peeked = await peekStream(stream, { maxBytes: 3 });
  await peeked.close();
  expect(state).toEqual({ given: 1, closed: true });
});
