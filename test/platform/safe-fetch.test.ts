import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { OutboundFailed, OutboundRejected, safeFetch } from '../../shared/platform/safe-fetch.ts';
import { HOSTILE_RESOLUTIONS, HOSTILE_URLS } from './fixtures/hostile-urls.ts';
import { GET, httpsOrigin, listen, loopbackCaller, PUBLIC_IPV4, PUBLIC_IPV6 } from './fixtures/loopback-origin.ts';

const NO_ORIGIN = 0;
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'a response',
    (error: unknown) => error,
  );

const resolveToFour = async () => [PUBLIC_IPV6, PUBLIC_IPV4, '8.8.8.8', '8.8.4.4'];
const resolveNothing = () => Promise.reject(new Error('getaddrinfo ENOTFOUND hook.example.test'));

/** A loopback port on which no server listens any more. */
const closedPort = async (): Promise<number> => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
};

describe('a URL that is not allowed', () => {
  test.each(Object.entries(HOSTILE_URLS))('is neither resolved nor connected to: %s', async (_trick, urls) => {
    for (const policy of ['public', 'local'] as const) {
      const { call, dials, resolutions } = loopbackCaller(NO_ORIGIN, { policy });
      const failures = await Promise.all(urls.map((url) => failure(call(url))));
      expect(failures).toEqual(urls.map(() => new OutboundRejected()));
      expect({ dials, resolutions }).toEqual({ dials: [], resolutions: [] });
    }
  });

  test.for(HOSTILE_RESOLUTIONS.map(([url, ...addresses]) => [url, addresses] as const))(
    'is resolved but not connected to: %s, which resolves to %j',
    async ([url, addresses]) => {
      const { call, dials, resolutions } = loopbackCaller(NO_ORIGIN, { resolve: async () => addresses });
      await expect(call(url)).rejects.toBeInstanceOf(OutboundRejected);
      expect({ dials, resolutions }).toEqual({ dials: [], resolutions: [new URL(url).hostname] });
    },
  );

  test('is rejected with the same message for every reason', async () => {
    const { call } = loopbackCaller(NO_ORIGIN, { resolve: async () => ['10.0.0.1'] });
    const urls = ['https://127.0.0.1/', 'https://example.com/', 'ftp://example.com/', 'https://u:p@example.com/', ''];
    const messages = await Promise.all(urls.map(async (url) => String(await failure(call(url)))));
    expect(new Set(messages)).toEqual(new Set(['OutboundRejected: the address is not allowed']));
  });

  test('cannot evade the check by resolving to another address later: only the address that was checked is used', async () => {
    const origin = await httpsOrigin((_request, response) => void response.end('ok'));
    const responses = [[PUBLIC_IPV4], ['127.0.0.1'], ['10.0.0.1']];
    const { call, dials, resolutions } = loopbackCaller(origin.port, { resolve: async () => responses.shift() ?? [] });
    expect((await call('https://hook.example.test/')).status).toBe(200);
    expect({ dials, resolutions }).toEqual({ dials: [`${PUBLIC_IPV4} 443`], resolutions: ['hook.example.test'] });
    await expect(call('https://hook.example.test/')).rejects.toBeInstanceOf(OutboundRejected);
    expect(dials).toHaveLength(1);
  });
});

describe('a request to an allowed URL', () => {
  test('sends method, path, query, headers and body unchanged, and its response is returned completely', async () => {
    let seen: { method: string; url: string; headers: IncomingHttpHeaders; body: string } | undefined;
    const origin = await httpsOrigin((request, response) => {
      const { method = '', url = '', headers } = request;
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
        response.writeHead(201, { 'X-Reply': 'a', 'Set-Cookie': ['a=1', 'b=2'] }).end('created');
      });
    });
    const { call, dials } = loopbackCaller(origin.port);
    const response = await call('https://hook.example.test:8443/in/%20box?x=1&y=%2F#part', {
      method: 'POST',
      headers: { 'X-Webhook-Token': 'secret', 'Content-Type': 'application/json' },
      body: '{"é":1}',
    });
    expect(seen).toEqual({
      method: 'POST',
      url: '/in/%20box?x=1&y=%2F',
      headers: {
        host: 'hook.example.test:8443',
        'x-webhook-token': 'secret',
        'content-type': 'application/json',
        'content-length': '8',
        'accept-encoding': 'identity',
        connection: 'close',
      },
      body: '{"é":1}',
    });
    expect(response.status).toBe(201);
    expect(response.headers).toMatchObject({ 'x-reply': 'a', 'set-cookie': 'a=1,b=2' });
    expect(new TextDecoder().decode(response.body)).toBe('created');
    expect(dials).toEqual([`${PUBLIC_IPV4} 8443`]);
  });

  test('sends nothing before `beforeSend` has finished, and nothing at all if that throws', async () => {
    let [connections, requests] = [0, 0];
    const origin = await httpsOrigin((_request, response) => {
      requests += 1;
      response.end();
    });
    const { call } = loopbackCaller(origin.port, {
      connect: () => connect({ host: '127.0.0.1', port: origin.port }).once('connect', () => (connections += 1)),
    });
    const seen: number[][] = [];
    const beforeSend = async () => void seen.push([connections, requests]);
    const failing = () => Promise.reject(new Error('changed its mind'));
    await call('https://hook.example.test/', { beforeSend });
    await expect(call('https://hook.example.test/', { beforeSend: failing })).rejects.toThrow('changed its mind');
    await call('https://hook.example.test/', { beforeSend });
    expect(seen).toEqual([
      [1, 0],
      [3, 1],
    ]);
  });

  test('ignores the caller’s host, connection and encoding headers', async () => {
    let seen: IncomingHttpHeaders = {};
    const origin = await httpsOrigin((request, response) => {
      seen = request.headers;
      response.end();
    });
    const headers = { HOST: 'evil.example', Connection: 'keep-alive', 'Accept-Encoding': 'gzip' };
    await loopbackCaller(origin.port).call('https://hook.example.test/', { headers });
    expect(seen).toEqual({ host: 'hook.example.test', connection: 'close', 'accept-encoding': 'identity' });
  });

  test.each([
    { 'X-A': 'b\r\nX-Injected: 1' },
    { 'X-A': 'b\nc' },
    { 'X-A': 'b\u0000' },
    { 'X-A': 'b\u007F' },
    { 'X-A': '漢' },
    { 'X A': 'b' },
    { 'X-A\r\nX-B': 'c' },
    { '': 'b' },
    { 'Content-Length': '1' },
    { 'Transfer-Encoding': 'chunked' },
    { Expect: '100-continue' },
    { Upgrade: 'websocket' },
  ])('is not sent with a header that could break the request: %j', async (headers) => {
    const { call, dials, resolutions } = loopbackCaller(NO_ORIGIN);
    await expect(call('https://hook.example.test/', { headers })).rejects.toEqual(
      new OutboundFailed('invalid-request'),
    );
    expect({ dials, resolutions }).toEqual({ dials: [], resolutions: [] });
  });

  test('is tried at the next address if one does not respond, up to three addresses', async () => {
    const origin = await httpsOrigin((_request, response) => void response.end('ok'));
    const closed = await closedPort();
    const second = loopbackCaller(origin.port, {
      resolve: resolveToFour,
      connect: ({ address }) => connect({ host: '127.0.0.1', port: address === PUBLIC_IPV6 ? closed : origin.port }),
    });
    expect((await second.call('https://hook.example.test/')).status).toBe(200);
    expect(second.dials).toEqual([`${PUBLIC_IPV6} 443`, `${PUBLIC_IPV4} 443`]);
    const none = loopbackCaller(closed, { resolve: resolveToFour });
    await expect(none.call('https://hook.example.test/')).rejects.toEqual(new OutboundFailed('connection'));
    expect(none.dials).toEqual([`${PUBLIC_IPV6} 443`, `${PUBLIC_IPV4} 443`, '8.8.8.8 443']);
  });

  test.each([
    ['rejects', resolveNothing],
    ['rejects without a reason', () => Promise.reject()],
    ['returns nothing', async () => []],
  ])('fails with the reason dns if its resolver %s', async (_how, resolve) => {
    const { call, dials } = loopbackCaller(NO_ORIGIN, { resolve });
    await expect(call('https://hook.example.test/')).rejects.toEqual(new OutboundFailed('dns'));
    expect(dials).toEqual([]);
  });

  test('fails with an error name and a reason that are safe to show', async () => {
    const { call } = loopbackCaller(NO_ORIGIN, { resolve: resolveNothing });
    const error = await failure(call('https://hook.example.test/'));
    expect(String(error)).toBe('OutboundFailed: the outbound request failed: dns');
  });

  test('fails with an error that contains no address, token or remote text', async () => {
    const closed = await closedPort();
    const headers = { 'X-Webhook-Token': 'top-secret' };
    const { call } = loopbackCaller(closed);
    const error = await failure(call('https://hook.example.test/path-part?key=query-part', { headers }));
    expect(error).toBeInstanceOf(OutboundFailed);
    const everything = inspect(error, { showHidden: true, depth: 9 });
    expect(everything).not.toMatch(/hook\.example|path-part|query-part|top-secret|203\.0\.114|ECONNREFUSED/u);
    expect(everything).not.toContain(String(closed));
  });
});

describe('the local URL policy', () => {
  test.each(['127.0.0.1', 'localhost'])('allows http://%s with its port over a plain connection', async (host) => {
    let seen: string | undefined;
    const server = createServer((request, response) => {
      seen = request.headers.host;
      response.end('local');
    });
    const port = await listen(server);
    const response = await safeFetch({ policy: 'local', resolve: resolveNothing })(`http://${host}:${port}/`, GET);
    expect(new TextDecoder().decode(response.body)).toBe('local');
    expect(seen).toBe(`${host}:${port}`);
  });

  test('allows a development server that listens only on the IPv6 loopback address', async () => {
    const origin = await listen(createServer((_request, response) => void response.end('six')));
    const closed = await closedPort();
    const { call, dials } = loopbackCaller(origin, {
      policy: 'local',
      connect: ({ address }) => connect({ host: '127.0.0.1', port: address === '::1' ? origin : closed }),
    });
    expect((await call('http://localhost:3000/')).status).toBe(200);
    expect(dials).toEqual(['127.0.0.1 3000', '::1 3000']);
  });

  test('differs from the public policy, which rejects the URLs of this machine', async () => {
    const port = await listen(createServer((_request, response) => void response.end('local')));
    const call = safeFetch({ policy: 'public' })(`http://127.0.0.1:${port}/`, GET);
    await expect(call).rejects.toBeInstanceOf(OutboundRejected);
  });
});
