/** A body that is looked at while it comes, and of which no more is kept than is wanted. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readBody } from '../../shared/platform/request-url.ts';
import { OutboundFailed, type OutboundRequest, type OutboundResponse } from '../../shared/platform/safe-fetch.ts';
import { httpsOrigin, loopbackCaller, replying, tlsOrigin } from './fixtures/loopback-origin.ts';

const URL_UNDER_TEST = 'https://hook.example.test/';
const OK = 'HTTP/1.1 200 OK\r\n';
const failed = (reason: ConstructorParameters<typeof OutboundFailed>[0]) => new OutboundFailed(reason);

/** Calls an origin and notes every look at what came of its answer. */
async function watched(port: number, request: Partial<OutboundRequest>, enoughBytes = Number.POSITIVE_INFINITY) {
  const looks: OutboundResponse[] = [];
  const { call, bytesRead } = loopbackCaller(port);
  const look = (soFar: OutboundResponse) => {
    looks.push({ ...soFar, body: Uint8Array.from(soFar.body) });
    return soFar.body.length >= enoughBytes ? 'enough' : 'go on';
  };
  const result = await call(URL_UNDER_TEST, { look, ...request }).catch((error: unknown) => error);
  return { result, looks, bytesRead: bytesRead() };
}

const content = (length: number) => Buffer.from(Array.from({ length }, (_, index) => index % 251));

describe('a look at a body', () => {
  test('that has enough ends the call with what came, though the rest never comes', async () => {
    const port = await tlsOrigin(replying(`${OK}X-A: b\r\nContent-Length: 9999\r\n\r\nhello`));
    const { result, looks } = await watched(port, {}, 5);
    const soFar = { status: 200, headers: { 'x-a': 'b', 'content-length': '9999' }, body: Buffer.from('hello') };
    expect(result).toMatchObject({ ...soFar, body: new Uint8Array(soFar.body) });
    expect(looks.at(-1)).toMatchObject({ ...soFar, body: new Uint8Array(soFar.body) });
  });

  test('is taken once more when the time is over, at every byte that came', async () => {
    const port = await tlsOrigin((socket) => {
      socket.once('data', () => {
        socket.write(`${OK}Content-Length: 9999\r\n\r\nhello`);
        setTimeout(() => socket.write('+'), 50);
      });
    });
    const { result, looks } = await watched(port, { timeoutMs: 600 });
    expect(result).toEqual(failed('timeout'));
    expect(Buffer.from(looks.at(-1)?.body ?? []).toString()).toBe('hello+');
  });

  test('is taken once more when the connection ends early', async () => {
    const port = await tlsOrigin((socket) => {
      socket.once('data', () => {
        socket.write(`${OK}Content-Length: 10\r\n\r\nhello`);
        setTimeout(() => socket.end('+'), 50);
      });
    });
    const { result, looks } = await watched(port, {});
    expect(result).toEqual(failed('connection'));
    expect(Buffer.from(looks.at(-1)?.body ?? []).toString()).toBe('hello+');
  });

  test('is taken a few times only, whatever the chunks, and sees what came from the beginning', async () => {
    const bytes = content(20_000);
    const chunks = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
    const lengths: number[] = [];
    const look = (soFar: Uint8Array) => {
      lengths.push(soFar.length);
      expect(bytes.subarray(0, soFar.length).equals(soFar)).toBe(true);
      return 'go on' as const;
    };
    const bound = AbortSignal.timeout(10_000);
    await readBody(Readable.from(chunks) as IncomingMessage, 16_384 * 2, bound, { look });
    expect(lengths).toEqual(Array.from({ length: 15 }, (_, power) => 2 ** power));
  });

  test('does not see the body of a redirect', async () => {
    const { port } = await httpsOrigin((request, response) => {
      if (request.url === '/') response.writeHead(302, { Location: '/1' }).end('moved');
      else response.end('here');
    });
    const { looks } = await watched(port, { maxRedirects: 1 });
    expect(looks.map(({ body }) => Buffer.from(body).toString())).toEqual(['here']);
  });
});

describe('a body of which only the beginning is kept', () => {
  test('is counted to its end, and takes no more memory than the beginning', async () => {
    const { port } = await httpsOrigin((_request, response) => void response.end(content(50_000)));
    const { result, looks, bytesRead } = await watched(port, { maxKeptBytes: 20_000 });
    const { body } = result as OutboundResponse;
    expect(content(20_000).equals(body)).toBe(true);
    expect(body.buffer.byteLength).toBe(20_000);
    expect(looks.at(-1)?.body).toHaveLength(20_000);
    expect(bytesRead).toBeGreaterThan(50_000);
  });

  test('is too large when all of it is, kept or not', async () => {
    for (const [length, expected] of [
      [65_536, { status: 200, body: { length: 100 } }],
      [65_537, failed('too-large')],
    ] as const) {
      // Written in two parts, so that no length is announced.
      const { port } = await httpsOrigin((_request, response) => {
        response.write(content(1));
        response.end(content(length - 1));
      });
      const { result } = await watched(port, { maxKeptBytes: 100, maxResponseBytes: 65_536 });
      expect(result).toMatchObject(expected);
    }
  });

  test('is looked at when all that is kept is there', async () => {
    const port = await tlsOrigin(replying(`${OK}Content-Length: 9999\r\n\r\n${'x'.repeat(99)}`, 'y'.repeat(200)));
    const { result } = await watched(port, { maxKeptBytes: 120 }, 120);
    expect(result).toMatchObject({ status: 200, body: { length: 120 } });
  });
});

describe('a body that is announced as longer than allowed', () => {
  const announced = (length: number) => replying(`${OK}Content-Length: ${length}\r\n\r\nhello`);

  test('fails before it comes; one of the length allowed is waited for', async () => {
    const request = { maxResponseBytes: 10, timeoutMs: 1000 };
    const over = await watched(await tlsOrigin(announced(11)), request);
    expect(over.result).toEqual(failed('too-large'));
    expect(over.looks).toEqual([]);
    expect((await watched(await tlsOrigin(announced(10)), request)).result).toEqual(failed('timeout'));
  });

  test('is read as far as it may be where it may be cut short', async () => {
    const port = await tlsOrigin(announced(11));
    const { result } = await watched(port, { maxResponseBytes: 3, onOverflow: 'truncate' });
    expect(result).toMatchObject({ status: 200, body: new Uint8Array(Buffer.from('hel')) });
  });
});
