/** Streamed responses: the lifetime of their connections, and the errors of their bodies. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OutboundFailed } from '../../shared/platform/safe-fetch.ts';
import { httpsOrigin, loopbackCaller, replying, tlsOrigin } from './fixtures/loopback-origin.ts';

const URL_UNDER_TEST = 'https://hook.example.test/';
const OK = 'HTTP/1.1 200 OK\r\n';
const failed = (reason: ConstructorParameters<typeof OutboundFailed>[0]) => new OutboundFailed(reason);
const text = async (body: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(body)).toString();
const rejection = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

/** An origin that sends the beginning of a body and then waits. */
const stalling =
  (length: number, beginning: string) =>
  (socket: Socket): void => {
    socket.once('data', () => socket.write(`${OK}Content-Length: ${length}\r\n\r\n${beginning}`));
  };

test('an outbound request resolves with the response head, and the body is read as it arrives', async () => {
  let finish = (): void => undefined;
  const { port } = await httpsOrigin((_request, response) => {
    response.writeHead(200, { 'X-A': 'b' }).write('first ');
    finish = () => void response.end('second');
  });
  const { open, openSockets } = loopbackCaller(port);
  const response = await open(URL_UNDER_TEST);
  expect(response).toMatchObject({ status: 200, headers: { 'x-a': 'b' } });
  expect(openSockets()).toBe(1);
  finish();
  expect(await text(response.body)).toBe('first second');
  expect(openSockets()).toBe(0);
});

describe('the connection of an outbound request is closed', () => {
  test('when the reader abandons the body', async () => {
    const { open, openSockets } = loopbackCaller(await tlsOrigin(stalling(9999, 'hello')));
    const { body } = await open(URL_UNDER_TEST);
    const reader = body[Symbol.asyncIterator]();
    await reader.next();
    await reader.return?.();
    expect(openSockets()).toBe(0);
  });

  test('when the response is closed without being read', async () => {
    const { open, openSockets } = loopbackCaller(await tlsOrigin(stalling(9999, 'hello')));
    const response = await open(URL_UNDER_TEST);
    response.close();
    expect(openSockets()).toBe(0);
  });

  test('when its time limit is reached, even if the body is not read', async () => {
    const sockets: Socket[] = [];
    const port = await tlsOrigin((socket) => {
      sockets.push(socket);
      stalling(9999, 'hello')(socket);
    });
    await loopbackCaller(port).open(URL_UNDER_TEST, { timeoutMs: 3000 });
    for (const socket of sockets) if (!socket.closed) await once(socket, 'close');
    expect(sockets[0]?.destroyed).toBe(true);
  });

  test('when the declared length exceeds the limit, and no byte of the body is read', async () => {
    const { open, openSockets } = loopbackCaller(await tlsOrigin(stalling(11, 'hello')));
    expect(await rejection(open(URL_UNDER_TEST, { maxResponseBytes: 10 }))).toEqual(failed('too-large'));
    expect(openSockets()).toBe(0);
    const cut = await open(URL_UNDER_TEST, { maxResponseBytes: 3, onOverflow: 'truncate' });
    expect(await text(cut.body)).toBe('hel');
    expect(openSockets()).toBe(0);
  });

  test('at each redirect, whose body is not read', async () => {
    const { port } = await httpsOrigin((request, response) => {
      if (request.url === '/') response.writeHead(302, { Location: '/1' }).end('moved');
      else response.end('here');
    });
    const { open, openSockets } = loopbackCaller(port);
    const { body } = await open(URL_UNDER_TEST, { maxRedirects: 1 });
    expect(openSockets()).toBe(1);
    expect(await text(body)).toBe('here');
  });
});

describe('the body of a response to an outbound request', () => {
  /** The data of a body, and the error that it threw. */
  async function read(port: number, request: Parameters<ReturnType<typeof loopbackCaller>['open']>[1]) {
    const parts: Uint8Array[] = [];
    const { body } = await loopbackCaller(port).open(URL_UNDER_TEST, request);
    const error = await rejection(
      (async () => {
        for await (const part of body) parts.push(part);
      })(),
    );
    return { came: Buffer.concat(parts).toString(), error };
  }

  test('fails when it pauses too long, before the total time limit', async () => {
    const port = await tlsOrigin(stalling(9999, 'hello'));
    const { came, error } = await read(port, { idleMs: 2000, timeoutMs: 600_000 });
    expect({ came, error }).toEqual({ came: 'hello', error: failed('timeout') });
  });

  test('may take longer than the allowed pause if it keeps arriving, but no longer than the total time limit', async () => {
    const port = await tlsOrigin((socket) => {
      socket.once('data', () => socket.write(`${OK}\r\n`));
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
      onTestFinished(() => clearInterval(timer));
    });
    const { came, error } = await read(port, { idleMs: 60_000, timeoutMs: 3000 });
    expect(came).toMatch(/^x+$/u);
    expect(error).toEqual(failed('timeout'));
  });

  test('fails at the point where it exceeds an undeclared size limit', async () => {
    const { port } = await httpsOrigin((_request, response) => {
      response.write('hello');
      response.end('world');
    });
    expect(await read(port, { maxResponseBytes: 7 })).toEqual({ came: 'hellowo', error: failed('too-large') });
  });

  test('fails after the received bytes if its connection ends early', async () => {
    const port = await tlsOrigin((socket) => {
      socket.once('data', () => socket.end(`${OK}Content-Length: 10\r\n\r\nhello`));
    });
    expect(await read(port, {})).toEqual({ came: 'hello', error: failed('connection') });
  });

  test('fails like a broken connection if its framing is broken', async () => {
    const port = await tlsOrigin(replying(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`, 'no size\r\n'));
    expect((await read(port, {})).error).toEqual(failed('connection'));
  });

  test('throws when it is read even if it had failed before', async () => {
    const port = await tlsOrigin((socket) => {
      socket.once('data', () => socket.end(`${OK}Content-Length: 10\r\n\r\nhello`));
    });
    const { open, closed } = loopbackCaller(port);
    const { body } = await open(URL_UNDER_TEST);
    await closed();
    expect(await rejection(text(body))).toEqual(failed('connection'));
  });
});
