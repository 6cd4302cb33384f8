import type { Socket } from 'node:net';
import { Socket as UnconnectedSocket } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { pause } from '../../shared/platform/pause.ts';
import { OutboundFailed, type OutboundRequest } from '../../shared/platform/safe-fetch.ts';
import {
  httpsOrigin,
  loopbackCaller,
  PUBLIC_IPV4,
  replying,
  tcpOrigin,
  tlsOrigin,
} from './fixtures/loopback-origin.ts';

const URL_UNDER_TEST = 'https://hook.example.test/';
const OK = 'HTTP/1.1 200 OK\r\n';
const BLOCK = Buffer.alloc(16_384, 'x');

/** Repeats a write every few milliseconds until the other side disconnects. */
const dripping =
  (head: string, drop: string) =>
  (socket: Socket): void => {
    socket.write(head);
    const timer = setInterval(() => socket.write(drop), 20).unref();
    socket.on('close', () => clearInterval(timer));
  };

/** Writes endlessly, as fast as the other side reads. */
const pouring =
  (head: string, block: Buffer) =>
  (socket: Socket): void => {
    socket.write(head);
    const pour = (): void => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.on('drain', pour);
    pour();
  };

const outcome = async (port: number, request: Partial<OutboundRequest> = {}) => {
  const { call, bytesRead } = loopbackCaller(port);
  const result = await call(URL_UNDER_TEST, request).catch((error: unknown) => error);
  return { result, bytesRead: bytesRead() };
};
const failed = (reason: ConstructorParameters<typeof OutboundFailed>[0]) => new OutboundFailed(reason);

describe('the time limit of an outbound request', () => {
  const short = { timeoutMs: 250 };

  test.each([
    ['slowly dripping headers', dripping(OK, 'X-A: b\r\n')],
    ['a slowly dripping status line', dripping('HTTP/1.1 200 ', 'x')],
    ['few informational responses', (socket) => void socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10))],
    ['a response that never arrives', () => undefined],
  ])('ends %s, whether or not truncated bodies are allowed', async (_what, behavior) => {
    const port = await tlsOrigin(behavior);
    const cutShort = { ...short, onOverflow: 'truncate' } as const;
    const both = await Promise.all([outcome(port, short), outcome(port, cutShort)]);
    expect(both.map(({ result }) => result)).toEqual([failed('timeout'), failed('timeout')]);
  });

  test('need not be reached to end more than ten informational responses', async () => {
    const port = await tlsOrigin(pouring('', Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000))));
    expect((await outcome(port, { timeoutMs: 600_000 })).result).toEqual(failed('connection'));
  });

  test('ends a connection that is accepted but never speaks TLS', async () => {
    const port = await tcpOrigin(() => undefined);
    expect((await outcome(port, short)).result).toEqual(failed('timeout'));
  });

  test('ends a connection that is never established', async () => {
    const { call } = loopbackCaller(0, { connect: () => new UnconnectedSocket() });
    await expect(call(URL_UNDER_TEST, short)).rejects.toEqual(failed('timeout'));
  });

  test('ends a name resolution that never completes, without connecting', async () => {
    const { call, dials } = loopbackCaller(0, { resolve: () => new Promise(() => undefined) });
    await expect(call(URL_UNDER_TEST, short)).rejects.toEqual(failed('timeout'));
    expect(dials).toEqual([]);
  });
});

/**
 * The first outcome with a response when the budget is increased step by step, so that the result does not depend on
 * the speed of the machine. If no outcome has a response, the last one.
 */
async function withinSomeBudget<Found extends { readonly result: unknown }>(
  attempt: (timeoutMs: number) => Promise<Found>,
): Promise<Found> {
  for (let timeoutMs = 500; ; timeoutMs *= 2) {
    const found = await attempt(timeoutMs);
    if (!(found.result instanceof OutboundFailed) || timeoutMs > 30_000) return found;
  }
}

describe('the time limit of an outbound request', () => {
  test.each([
    ['a slowly dripping body', dripping(`${OK}Content-Length: 9999\r\n\r\n`, 'x')],
    ['a slowly dripping chunked body', dripping(`${OK}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n')],
    ['a body that stops halfway', dripping(`${OK}Content-Length: 10\r\n\r\nhello`, '')],
  ])('ends %s with a failure, or with a truncated body if that is allowed', async (_what, behavior) => {
    const port = await tlsOrigin(behavior);
    const { result, failing } = await withinSomeBudget(async (timeoutMs) => {
      const [whole, cut] = await Promise.all([
        outcome(port, { timeoutMs }),
        outcome(port, { timeoutMs, onOverflow: 'truncate' }),
      ]);
      return { ...cut, failing: whole.result };
    });
    expect(failing).toEqual(failed('timeout'));
    expect(result).toMatchObject({ status: 200, body: { length: 0 } });
  });

  test('does not include the time that `beforeSend` takes', async () => {
    const port = await tlsOrigin((socket) => socket.end(`${OK}Content-Length: 2\r\n\r\nok`));
    const { result } = await withinSomeBudget((timeoutMs) =>
      outcome(port, { timeoutMs, beforeSend: () => pause(timeoutMs + 100) }),
    );
    expect(result).toMatchObject({ status: 200 });
  });

  test('covers all stages: a slow name resolution leaves less time for the response', async () => {
    const { result, slow, paused } = await withinSomeBudget(async (timeoutMs) => {
      // Two such delays exceed the time limit, one does not.
      const slowlyMs = 0.6 * timeoutMs;
      const port = await tlsOrigin((socket) => {
        const timer = setTimeout(() => socket.end(`${OK}Content-Length: 2\r\n\r\nok`), slowlyMs);
        socket.on('close', () => clearTimeout(timer));
      });
      const resolve = () => pause(slowlyMs).then(() => [PUBLIC_IPV4]);
      const [afterSlow, afterPause, afterQuick] = await Promise.allSettled([
        loopbackCaller(port, { resolve }).call(URL_UNDER_TEST, { timeoutMs }),
        loopbackCaller(port, { resolve }).call(URL_UNDER_TEST, { timeoutMs, beforeSend: () => pause(1) }),
        loopbackCaller(port).call(URL_UNDER_TEST, { timeoutMs }),
      ]);
      const result: unknown = afterQuick.status === 'fulfilled' ? afterQuick.value : afterQuick.reason;
      return { result, slow: afterSlow, paused: afterPause };
    });
    // The time used before a pause still counts after it.
    expect(paused).toMatchObject({ status: 'rejected', reason: failed('timeout') });
    expect(slow).toMatchObject({ status: 'rejected', reason: failed('timeout') });
    expect(result).toMatchObject({ status: 200 });
  });
});

describe('the size limit of a response to an outbound request', () => {
  const small = { maxResponseBytes: 100_000 };

  test.each([
    ['with a declared length', pouring(`${OK}Content-Length: 99999999999\r\n\r\n`, BLOCK)],
    ['that declares its length only in an unknown header', pouring(`${OK}X-Content-Length: 5\r\n\r\n`, BLOCK)],
    ['without a declared length', pouring(`${OK}\r\n`, BLOCK)],
    ['in chunks', pouring(`${OK}Transfer-Encoding: chunked\r\n\r\n`, Buffer.from(`4000\r\n${BLOCK.toString()}\r\n`))],
  ])('ends the reading of an endless body %s soon after the limit', async (_how, behavior) => {
    const port = await tlsOrigin(behavior);
    const fail = await outcome(port, small);
    expect(fail.result).toEqual(failed('too-large'));
    expect(fail.bytesRead).toBeLessThan(2_000_000);
    const cut = await outcome(port, { ...small, onOverflow: 'truncate' });
    expect(cut.result).toMatchObject({ status: 200, body: new Uint8Array(100_000).fill(120) });
    expect(cut.bytesRead).toBeLessThan(2_000_000);
  });

  test.for([1, 2, 3, 40])('ends a body in chunks of %i bytes each, which take long to parse', async (length) => {
    const block = Buffer.from(`${length.toString(16)}\r\n${'x'.repeat(length)}\r\n`.repeat(1000));
    const port = await tlsOrigin(pouring(`${OK}Transfer-Encoding: chunked\r\n\r\n`, block));
    const { result, bytesRead } = await outcome(port, { maxResponseBytes: 100_000_000 });
    expect(result).toEqual(failed('connection'));
    expect(bytesRead).toBeLessThan(4_000_000);
  });

  test.each([
    [99_999, 'whole'],
    [100_000, 'whole'],
    [100_001, 'too large'],
  ])('of 100,000 bytes treats a body of %i bytes as %s', async (length, verdict) => {
    const { port } = await httpsOrigin((_request, response) => void response.end('x'.repeat(length)));
    const { result } = await outcome(port, small);
    if (verdict === 'whole') expect(result).toMatchObject({ body: new Uint8Array(length).fill(120) });
    else expect(result).toEqual(failed('too-large'));
    const cut = await outcome(port, { ...small, onOverflow: 'truncate' });
    expect(cut.result).toMatchObject({ body: new Uint8Array(Math.min(length, 100_000)).fill(120) });
  });

  test('of zero allows only an empty body', async () => {
    const { port } = await httpsOrigin((request, response) => void response.end(request.method === 'GET' ? 'x' : ''));
    expect((await outcome(port, { maxResponseBytes: 0 })).result).toEqual(failed('too-large'));
    expect((await outcome(port, { maxResponseBytes: 0, method: 'POST' })).result).toMatchObject({ status: 200 });
  });

  test('allows a body in chunks of one byte, which are joined', async () => {
    const content = Buffer.from(Array.from({ length: 50_000 }, (_, index) => index % 251));
    const chunks = Buffer.concat([...content].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10])));
    const port = await tlsOrigin((socket) => {
      socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n`);
      socket.write(chunks);
      socket.end('0\r\n\r\n');
    });
    const { call } = loopbackCaller(port);
    const { body } = await call(URL_UNDER_TEST, small);
    expect(Buffer.from(body).equals(content)).toBe(true);
  });

  test('counts the bytes as received, because compressed bodies are not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const { port } = await httpsOrigin((_request, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
    });
    const { call } = loopbackCaller(port);
    const { body, headers } = await call(URL_UNDER_TEST);
    expect(headers['content-encoding']).toBe('gzip');
    expect(Buffer.from(body).equals(bomb)).toBe(true);
    expect(gunzipSync(body)).toHaveLength(20_000_000);
  });

  test('limits the headers too', async () => {
    const port = await tlsOrigin(pouring(OK, Buffer.from(`X-A: ${'b'.repeat(1000)}\r\n`)));
    const { result, bytesRead } = await outcome(port);
    expect(result).toEqual(failed('protocol'));
    expect(bytesRead).toBeLessThan(2_000_000);
  });
});

describe('an irregular response to an outbound request', () => {
  test.each([
    ['that ends before its declared length', `${OK}Content-Length: 10\r\n\r\nhello`, 'connection'],
    ['that ends inside a chunk', `${OK}Transfer-Encoding: chunked\r\n\r\nff\r\nhello`, 'connection'],
    ['that ends inside its headers', `${OK}X-A: b`, 'connection'],
    ['that is empty', '', 'connection'],
    [
      'that switches to another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      'connection',
    ],
    ['that is not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'protocol'],
    ['with two lengths', `${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 'protocol'],
    ['with a length and chunks', `${OK}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 'protocol'],
    ['with a control character in a header', `${OK}X-A: \u0001\r\n\r\n`, 'protocol'],
  ] as const)('%s is a failure', async (_what, reply, reason) => {
    const port = await tlsOrigin((socket) => void socket.once('data', () => socket.end(reply)));
    expect((await outcome(port)).result).toEqual(failed(reason));
  });

  test('whose connection is reset halfway is a failure', async () => {
    const port = await tcpOrigin((socket) => {
      socket.once('data', () => socket.write(`${OK}Content-Length: 10\r\n\r\nhello`, () => socket.resetAndDestroy()));
    });
    const { call } = loopbackCaller(port, { policy: 'local' });
    await expect(call('http://127.0.0.1:3000/')).rejects.toEqual(failed('connection'));
  });

  test('followed by unsolicited bytes is accepted', async () => {
    const port = await tlsOrigin(replying(`${OK}Content-Length: 2\r\n\r\nok`, 'HTTP/1.1 garbage\r\n\u0000'));
    expect((await outcome(port)).result).toMatchObject({ status: 200, body: new Uint8Array([111, 107]) });
  });

  test('that arrives before the whole request has been read is accepted', async () => {
    const port = await tlsOrigin((socket) => {
      socket.end('HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    });
    const request = { method: 'POST', body: 'x'.repeat(5_000_000) } as const;
    expect((await outcome(port, request)).result).toMatchObject({ status: 413 });
  });
});
