import { once } from 'node:events';
import { connect } from 'node:net';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterEach, expect, it, vi } from 'vitest';
import { closeGateways, type Gateway, startGateway } from './gateway-subject.ts';

afterEach(closeGateways);

const calls: string[] = [];

const gateway = (): Promise<Gateway> => {
  calls.length = 0;
  return startGateway({
    routes: [
      { method: 'GET', path: '/api/tasks', functionName: 'echo' },
      { method: 'POST', path: '/api/tasks', functionName: 'echo' },
      { method: 'GET', path: '/api/tasks/{taskId}', functionName: 'echo' },
    ],
    functions: {
      echo: {
        timeoutSeconds: 5,
        handler: async (event: APIGatewayProxyEvent) => {
          calls.push(`${event.httpMethod} ${event.path}`);
          await new Promise((resolve) => setTimeout(resolve, 30));
          return { statusCode: 200, body: `body of ${Buffer.from(event.body ?? '', 'base64').length}` };
        },
      },
    },
  });
};

/** The first data received on the connection. */
function firstResponse(text: string): { status: number; headers: Record<string, string>; body: string } {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.slice(line.indexOf(': ') + 2)]);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: rest.join('\r\n\r\n'),
  };
}

const end = 'Host: a\r\nConnection: close\r\n\r\n';

it.each([
  ['an unknown path', `GET /nothing HTTP/1.1\r\n${end}`],
  ['the root', `GET / HTTP/1.1\r\n${end}`],
  ['a trailing slash', `GET /api/tasks/ HTTP/1.1\r\n${end}`],
  ['a trailing slash after a parameter', `GET /api/tasks/a/ HTTP/1.1\r\n${end}`],
  ['a doubled slash', `GET //api/tasks HTTP/1.1\r\n${end}`],
  ['a path in another letter case', `GET /API/tasks HTTP/1.1\r\n${end}`],
  ['dot segments', `GET /api/x/../tasks HTTP/1.1\r\n${end}`],
  ['an encoded static segment', `GET /api/task%73 HTTP/1.1\r\n${end}`],
  ['malformed percent-encoding', `GET /api/tasks/%zz HTTP/1.1\r\n${end}`],
  ['percent-encoding of invalid UTF-8', `GET /api/tasks/%ff HTTP/1.1\r\n${end}`],
  ['an absolute URL', `GET http://a/api/tasks HTTP/1.1\r\n${end}`],
  ['an asterisk', `OPTIONS * HTTP/1.1\r\n${end}`],
  ['OPTIONS', `OPTIONS /api/tasks HTTP/1.1\r\nOrigin: http://b\r\n${end}`],
  ['an unknown method', `DELETE /api/tasks HTTP/1.1\r\n${end}`],
  ['CONNECT', `CONNECT a:443 HTTP/1.1\r\n${end}`],
  ['a body on an unknown path', `POST /nothing HTTP/1.1\r\nContent-Length: 3\r\n${end}abc`],
])('the local gateway responds to %s with 404 in the error envelope', async (_what, request) => {
  const { status, headers, body } = firstResponse(await (await gateway()).exchange(request));
  expect(status).toBe(404);
  expect(JSON.parse(body)).toStrictEqual({
    success: false,
    error: { code: 'NOT_FOUND', message: 'There is no such path or method.' },
  });
  expect(headers).toMatchObject({
    'x-request-id': 'request-1',
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toStrictEqual([]);
  expect(calls).toStrictEqual([]);
});

it('the local gateway responds to HEAD with 404 and no body', async () => {
  const { status, headers, body } = firstResponse(
    await (await gateway()).exchange(`HEAD /api/tasks HTTP/1.1\r\n${end}`),
  );
  expect({ status, body }).toStrictEqual({ status: 404, body: '' });
  expect(headers['x-request-id']).toBe('request-1');
});

it.each([
  ['data that is not HTTP', 'HELLO\r\n\r\n'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a broken header', 'GET /api/tasks HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n'],
  ['headers that are too large', `GET /api/tasks HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['a URL that is too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  [
    'contradictory framing',
    'POST /api/tasks HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n',
  ],
  ['two lengths', 'POST /api/tasks HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc'],
  ['a negative length', 'POST /api/tasks HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
  ['a broken chunk', 'POST /api/tasks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n'],
  ['no host', 'GET /api/tasks HTTP/1.1\r\nConnection: close\r\n\r\n'],
])(
  'the local gateway responds to a request with %s with 400 in the error envelope, and calls no function',
  async (_what, request) => {
    const { status, headers, body } = firstResponse(await (await gateway()).exchange(request));
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR' } });
    expect(headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^request-/),
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(calls).toStrictEqual([]);
  },
);

it('the local gateway responds to a complete request first if invalid data follows it on the connection', async () => {
  const text = await (await gateway()).exchange('GET /api/tasks HTTP/1.1\r\nHost: a\r\n\r\nHELLO\r\n\r\n');
  expect(firstResponse(text)).toMatchObject({ status: 200 });
  expect(text.match(/HTTP\/1\.1 \d+/g)).toStrictEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
});

it('the local gateway responds to pipelined requests in order', async () => {
  const text = await (await gateway()).exchange(
    `GET /api/tasks HTTP/1.1\r\nHost: a\r\n\r\nGET /nothing HTTP/1.1\r\nHost: a\r\n\r\nGET /api/tasks/a HTTP/1.1\r\n${end}`,
  );
  expect(text.match(/HTTP\/1\.1 \d+/g)).toStrictEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
});

it.each([
  ['an unknown expectation', `POST /api/tasks HTTP/1.1\r\nExpect: wonders\r\nContent-Length: 2\r\n${end}ab`],
  [
    'an upgrade request',
    'GET /api/tasks HTTP/1.1\r\nHost: a\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n',
  ],
  ['HTTP/1.0', 'GET /api/tasks HTTP/1.0\r\n\r\n'],
])('the local gateway responds normally to %s', async (_what, request) => {
  expect(firstResponse(await (await gateway()).exchange(request)).status).toBe(200);
});

const mebibyte = 1024 * 1024;
const tooLarge = { success: false, error: { code: 'VALIDATION_ERROR', message: 'The body must be at most 256 KiB.' } };

it('the local gateway accepts a body of 10 MiB', async () => {
  const { url } = await gateway();
  const response = await fetch(`${url}/api/tasks`, { method: 'POST', body: 'x'.repeat(10 * mebibyte) });
  expect(await response.text()).toBe(`body of ${10 * mebibyte}`);
});

it('the local gateway rejects a body with a declared length over 10 MiB before any of it arrives', async () => {
  const { port } = await gateway();
  const socket = connect(port, '127.0.0.1');
  socket.write(`POST /api/tasks HTTP/1.1\r\nHost: a\r\nContent-Length: ${10 * mebibyte + 1}\r\n\r\n`);
  const [chunk] = await once(socket, 'data');
  expect(firstResponse(String(chunk))).toMatchObject({ status: 400 });
  expect(JSON.parse(firstResponse(String(chunk)).body)).toStrictEqual(tooLarge);
  socket.destroy();
  expect(calls).toStrictEqual([]);
});

it('the local gateway rejects a body that grows beyond 10 MiB, discards the rest and keeps the connection', async () => {
  const { port } = await gateway();
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.write('POST /api/tasks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  const piece = Buffer.alloc(mebibyte, 'x');
  for (let sent = 0; sent < 40; sent++) {
    socket.write(`${mebibyte.toString(16)}\r\n`);
    socket.write(piece);
    if (!socket.write('\r\n')) await once(socket, 'drain');
  }
  socket.write(`0\r\n\r\nGET /api/tasks HTTP/1.1\r\n${end}`);
  await once(socket, 'close');
  expect(text.match(/HTTP\/1\.1 \d+/g)).toStrictEqual(['HTTP/1.1 400', 'HTTP/1.1 200']);
  expect(calls).toStrictEqual(['GET /api/tasks']);
});

it('the local gateway rejects a body over 10 MiB with 400 even if the connection ends with the response', async () => {
  const { exchange } = await gateway();
  const length = 40 * mebibyte;
  const head = `POST /api/tasks HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;
  const { status, body } = firstResponse(await exchange(Buffer.concat([Buffer.from(head), Buffer.alloc(length)])));
  expect(status).toBe(400);
  expect(JSON.parse(body)).toStrictEqual(tooLarge);
  expect(calls).toStrictEqual([]);
});

it('the local gateway calls no function for a client that disconnects in the middle of its body, and keeps serving', async () => {
  const { port, url } = await gateway();
  for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    socket.write('POST /api/tasks HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nhalf');
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket[leave]();
    await once(socket, 'close');
  }
  expect((await fetch(`${url}/api/tasks`)).status).toBe(200);
  expect(calls).toStrictEqual(['GET /api/tasks']);
});

it('the local gateway survives clients that disconnect while their function runs', async () => {
  const { port, url } = await gateway();
  const sockets = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'));
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    socket.write('GET /api/tasks HTTP/1.1\r\nHost: a\r\n\r\n');
  }
  await vi.waitFor(() => expect(calls).toHaveLength(20), 120_000);
  for (const socket of sockets) socket.resetAndDestroy();
  expect((await fetch(`${url}/api/tasks`)).status).toBe(200);
});

const isClosed = 'is rejected with 400 before it is complete, and its connection is closed';
it.for([1, 2, 40])(`a body in chunks of %i bytes ${isClosed}`, async (length) => {
  const { url } = await gateway();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const answer = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
    });
    socket.once('close', () => resolve(text));
  });
  // The connection may be reset while the rest is sent.
  socket.on('error', () => undefined);
  socket.write('POST /api/tasks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  const pieces = `${length.toString(16)}\r\n${'x'.repeat(length)}\r\n`.repeat(20_000 / length);
  while (!socket.destroyed) {
    socket.write(pieces);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(await answer).toMatch(/^HTTP\/1\.1 400 |^$/);
  expect(calls).toEqual([]);
});
