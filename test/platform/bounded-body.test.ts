/** Streamed bodies within limits: which data passes, and what ends the stream. */
import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { type BodyBudget, BodyStalled, boundedBody } from '../../shared/platform/bounded-body.ts';
import { TooManyBytes } from '../../shared/platform/limit-bytes.ts';

const never = new AbortController().signal;
const bytes = (length: number, first = 0) => Buffer.from(Array.from({ length }, (_, index) => (first + index) % 251));
const messageOf = (chunks: Iterable<Buffer>): IncomingMessage => Readable.from(chunks) as IncomingMessage;

const read = (message: IncomingMessage, maxBytes: number, budget: Partial<BodyBudget> = {}) =>
  boundedBody(message, {
    maxBytes,
    onOverflow: 'fail',
    idleMs: undefined,
    signal: never,
    received: () => 0,
    ...budget,
  });

/** The received data, and the error that ended it. */
async function outcome(stream: AsyncIterable<Uint8Array>) {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of stream) parts.push(part);
    return { body: Buffer.concat(parts), error: undefined };
  } catch (error) {
    return { body: Buffer.concat(parts), error };
  }
}

test.for<[string, number[], number]>([
  ['is empty', [], 10],
  ['is a single short chunk', [5], 10],
  ['has exactly the allowed length', [5, 5], 10],
  ['is empty under a limit of zero', [], 0],
])('a size-limited body that %s is passed on unchanged', async ([, lengths, maxBytes]) => {
  const chunks = lengths.map((length, index) => bytes(length, index));
  expect(await outcome(read(messageOf(chunks), maxBytes))).toEqual({ body: Buffer.concat(chunks), error: undefined });
});

test.for([
  [262_144 + 106, undefined],
  [262_144 + 107, new Error('the body takes too many bytes')],
] as const)('a body of 100 bytes, for which the connection received %i, ends with %o', async ([received, error]) => {
  expect((await outcome(read(messageOf([bytes(100)]), 1000, { received: () => received }))).error).toEqual(error);
});

describe('a body beyond its size limit', () => {
  test.for<[number[], number]>([
    [[11], 10],
    [[10, 1], 10],
    [[1], 0],
    [[16_384, 16_384], 20_000],
  ])(
    'that arrives in chunks of %j bytes is cut after %i bytes, either with an error or silently',
    async ([lengths, maxBytes]) => {
      const chunks = lengths.map((length, index) => bytes(length, index));
      const allowed = Buffer.concat(chunks).subarray(0, maxBytes);
      expect(await outcome(read(messageOf(chunks), maxBytes))).toEqual({ body: allowed, error: new TooManyBytes() });
      const cut = read(messageOf(chunks), maxBytes, { onOverflow: 'truncate' });
      expect(await outcome(cut)).toEqual({ body: allowed, error: undefined });
    },
  );

  test.for(['fail', 'truncate'] as const)(
    'is not read any further (with the overflow mode “%s”)',
    async (onOverflow) => {
      let given = 0;
      function* endless() {
        for (;;) {
          given += 1;
          yield bytes(100);
        }
      }
      const message = messageOf(endless());
      await outcome(read(message, 1000, { onOverflow }));
      expect(given).toBeLessThan(40);
      expect(message.destroyed).toBe(true);
    },
  );
});

describe('reading a size-limited body', () => {
  const silent = () => new PassThrough() as PassThrough & IncomingMessage;

  test('stops when its abort signal fires', async () => {
    const aborting = new AbortController();
    const reading = outcome(read(silent(), 10, { signal: aborting.signal }));
    aborting.abort();
    expect((await reading).error).toMatchObject({ name: 'AbortError' });
  });

  test('ends with an error if the body pauses too long, before its first byte or later', async () => {
    const stopped = silent();
    stopped.write('hello');
    const both = await Promise.all([silent(), stopped].map((body) => outcome(read(body, 10, { idleMs: 20 }))));
    expect(both).toEqual([
      { body: Buffer.alloc(0), error: new BodyStalled() },
      { body: Buffer.from('hello'), error: new BodyStalled() },
    ]);
  });

  test('does not count the time for which the reader pauses as a pause of the body', async () => {
    const message = messageOf([bytes(1), bytes(1), bytes(1)]);
    let count = 0;
    for await (const part of read(message, 10, { idleMs: 300 })) {
      count += part.length;
      await new Promise((done) => setTimeout(done, 400));
    }
    expect(count).toBe(3);
  });
});
