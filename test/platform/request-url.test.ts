import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { requestUrl, validateHeaders } from '../../shared/platform/request-url.ts';
import { tcpOrigin } from './fixtures/loopback-origin.ts';

describe('request headers', () => {
  test('are returned with lower-case names', () => {
    expect(validateHeaders({ 'X-Webhook-Token': 'Secret', accept: 'a' })).toEqual({
      'x-webhook-token': 'Secret',
      accept: 'a',
    });
  });

  test.for(['Content-Length', 'transfer-encoding', 'Trailer', 'TE', 'Expect', 'UPGRADE'])(
    'that control message framing cannot be set by callers: %s',
    (name) => {
      const message = `the header ${name.toLowerCase()} may not be set`;
      expect(() => validateHeaders({ accept: 'a', [name]: '1' })).toThrow(new TypeError(message));
    },
  );

  test.for<[string, string]>([
    ['X A', 'b'],
    ['', 'b'],
    ['X-A', 'b\r\nX-B: c'],
    ['X-A', '\u0000'],
  ])('that could inject another header are rejected: %j with %j', ([name, value]) => {
    expect(() => validateHeaders({ accept: 'a', [name]: value })).toThrow(TypeError);
  });
});

describe('an HTTP request on a socket', () => {
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

  /** Sends a request to an origin with the given behavior, and records what the origin received. */
  async function ask(
    behavior: (received: string) => string | undefined,
    given: Partial<Parameters<typeof requestUrl>[2]> = {},
    signal: AbortSignal = AbortSignal.timeout(5000),
  ) {
    let received = '';
    const port = await tcpOrigin((origin) =>
      origin.on('data', (chunk) => {
        received += String(chunk);
        const reply = behavior(received);
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

  test('is sent once with its path and query, and callers cannot change how it is framed', async () => {
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

  test('sends its body', async () => {
    const { asking, sent } = await ask((got) => (got.endsWith('{"é":1}') ? ok : undefined), {
      method: 'POST',
      body: '{"é":1}',
    });
    await asking;
    expect(sent()).toMatch(/^POST /);
    expect(sent()).toContain('Content-Length: 8\r\n');
  });

  test('resolves as soon as the response head has arrived', async () => {
    const { asking } = await ask(() => 'HTTP/1.1 201 Created\r\nContent-Length: 9\r\n\r\n');
    expect((await asking).statusCode).toBe(201);
  });

  test('fails if the response head exceeds 16 KiB, but not below that', async () => {
    const head = (bytes: number) => `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(bytes)}\r\n\r\n`;
    expect((await (await ask(() => head(16_000))).asking).statusCode).toBe(200);
    await expect((await ask(() => head(17_000))).asking).rejects.toMatchObject({ code: 'HPE_HEADER_OVERFLOW' });
  });

  test('fails when the server switches the connection to another protocol', async () => {
    const reply = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
    const { asking } = await ask(() => reply);
    await expect(asking).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('stops waiting for the response when the call is aborted', async () => {
    const called = new AbortController();
    const { asking } = await ask(() => undefined, {}, called.signal);
    called.abort();
    await expect(asking).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('does not end the process if its socket fails after the response head', async () => {
    const { asking, socket } = await ask(() => 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n');
    const response = await asking;
    const failed = once(response, 'error');
    socket.destroy(new Error('late'));
    expect(await failed).toMatchObject([{ code: 'ECONNRESET' }]);
  });
});
