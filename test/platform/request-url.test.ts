import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readBody, requestUrl, validateHeaders } from '../../shared/platform/request-url.ts';
import { tcpOrigin } from './fixtures/loopback-origin.ts';

describe('headers', () => {
  test('are told by their lower-case names', () => {
    expect(validateHeaders({ 'X-Webhook-Token': 'Secret', accept: 'a' })).toEqual({
      'x-webhook-token': 'Secret',
      accept: 'a',
    });
  });

  test.for(['Content-Length', 'transfer-encoding', 'Trailer', 'TE', 'Expect', 'UPGRADE'])(
    'that frame a message may not be set: %s',
    (name) => {
      const refused = `the header ${name.toLowerCase()} may not be set`;
      expect(() => validateHeaders({ accept: 'a', [name]: '1' })).toThrow(new TypeError(refused));
    },
  );

  test.for<[string, string]>([
    ['X A', 'b'],
    ['', 'b'],
    ['X-A', 'b\r\nX-B: c'],
    ['X-A', '\u0000'],
  ])('that could smuggle another are refused: %j with %j', ([name, value]) => {
    expect(() => validateHeaders({ accept: 'a', [name]: value })).toThrow(TypeError);
  });
});

describe('a request', () => {
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

  /** Sends a request to an origin that behaves like this, and notes what it got. */
  async function ask(
    behaviour: (received: string) => string | undefined,
    given: Partial<Parameters<typeof requestUrl>[2]> = {},
    signal: AbortSignal = AbortSignal.timeout(5000),
  ) {
    let received = '';
    const port = await tcpOrigin((origin) =>
      origin.on('data', (chunk) => {
        received += String(chunk);
        const reply = behaviour(received);
        if (reply !== undefined) origin.write(reply);
      }),
    );
    const socket = connect({ host: '127.0.0.1', port });
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    const url = new URL('http://127.0.0.1:8080/in/box?x=1#part');
    const asking = requestUrl(socket, url, { method: 'GET', headers: {}, body: undefined, ...given }, signal);
    return { asking, socket, sent: () => received };
  }

  test('is sent once over the socket, with its path and query, and nothing of the caller’s in its framing', async () => {
    const headers = { host: 'evil', connection: 'keep-alive', 'accept-encoding': 'gzip', 'x-a': 'b' };
    const { asking, sent } = await ask(() => ok, { headers });
    expect((await asking).statusCode).toBe(200);
    const [line, ...rest] = sent().trimEnd().split('\r\n');
    expect(line).toBe('GET /in/box?x=1 HTTP/1.1');
    expect(rest.toSorted()).toEqual([
      'accept-encoding: identity',
      'connection: close',
      'host: 127.0.0.1:8080',
      'x-a: b',
    ]);
  });

  test('carries its body', async () => {
    const { asking, sent } = await ask((got) => (got.endsWith('{"é":1}') ? ok : undefined), {
      method: 'POST',
      body: '{"é":1}',
    });
    await asking;
    expect(sent()).toMatch(/^POST /);
    expect(sent()).toContain('Content-Length: 8\r\n');
  });

  test('is answered as soon as the head is there', async () => {
    const { asking } = await ask(() => 'HTTP/1.1 201 Created\r\nContent-Length: 9\r\n\r\n');
    expect((await asking).statusCode).toBe(201);
  });

  test('fails when the head grows beyond 16 KiB, and not before', async () => {
    const head = (bytes: number) => `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(bytes)}\r\n\r\n`;
    expect((await (await ask(() => head(16_000))).asking).statusCode).toBe(200);
    await expect((await ask(() => head(17_000))).asking).rejects.toMatchObject({ code: 'HPE_HEADER_OVERFLOW' });
  });

  test('fails when the connection switches to another protocol', async () => {
    const reply = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
    const { asking } = await ask(() => reply);
    await expect(asking).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('is not waited for when the call is called off', async () => {
    const called = new AbortController();
    const { asking } = await ask(() => undefined, {}, called.signal);
    called.abort();
    await expect(asking).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('ends nobody when its socket fails after the head', async () => {
    const { asking, socket } = await ask(() => 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n');
    const response = await asking;
    const failed = once(response, 'error');
    socket.destroy(new Error('late'));
    expect(await failed).toMatchObject([{ code: 'ECONNRESET' }]);
  });
});

describe('a body', () => {
  const never = new AbortController().signal;
  const messageOf = (...chunks: Buffer[]): IncomingMessage => Readable.from(chunks) as IncomingMessage;
  const bytes = (length: number, first = 0) => Buffer.from(Array.from({ length }, (_, index) => (first + index) % 251));

  test.for<[string, number[], number]>([
    ['nothing', [], 10],
    ['one chunk', [5], 10],
    ['chunks up to the last byte allowed', [5, 5], 10],
    ['chunks of one byte', Array.from({ length: 300 }, () => 1), 1000],
    ['more than the first block, bit by bit', [16_000, 1000, 1000], 100_000],
    ['more than twice the first block at once', [10, 50_000, 3], 100_000],
    ['exactly the first block', [16_384], 100_000],
    ['the first block and a byte', [16_384, 1], 16_385],
  ])('is put together from %s', async ([, lengths, maxBytes]) => {
    const chunks = lengths.map((length, index) => bytes(length, index));
    const { body, overflowed } = await readBody(messageOf(...chunks), maxBytes, never);
    expect(Buffer.concat(chunks).equals(body)).toBe(true);
    expect(overflowed).toBe(false);
  });

  test.for<[number[], number]>([
    [[11], 10],
    [[10, 1], 10],
    [[1], 0],
    [[16_384, 16_384], 20_000],
    [[30_000], 20_000],
  ])('of %j bytes is cut at %i, and says so', async ([lengths, maxBytes]) => {
    const chunks = lengths.map((length, index) => bytes(length, index));
    const { body, overflowed } = await readBody(messageOf(...chunks), maxBytes, never);
    expect(Buffer.concat(chunks).subarray(0, maxBytes).equals(body)).toBe(true);
    expect(overflowed).toBe(true);
  });

  test('needs no more memory than its limit or twice its length, and little to begin with', async () => {
    const roomFor = async (length: number, maxBytes: number) =>
      (await readBody(messageOf(bytes(length)), maxBytes, never)).body.buffer.byteLength;
    expect(await roomFor(1, 1_000_000)).toBe(16_384);
    expect(await roomFor(1, 100)).toBe(100);
    expect(await roomFor(16_384, 1_000_000)).toBe(16_384);
    expect(await roomFor(20_000, 1_000_000)).toBe(32_768);
    expect(await roomFor(20_000, 21_000)).toBe(21_000);
    expect(await roomFor(40_000, 1_000_000)).toBe(40_000);
  });

  test('is read no further than its limit', async () => {
    let given = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          given += 1;
          yield bytes(100);
        }
      })(),
    ) as IncomingMessage;
    await readBody(endless, 1000, never);
    expect(given).toBeLessThan(40);
    expect(endless.destroyed).toBe(true);
  });

  test('is not waited for when the call is called off', async () => {
    const called = new AbortController();
    const stream = new PassThrough() as unknown as IncomingMessage;
    const reading = readBody(stream, 10, called.signal);
    called.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });
});
