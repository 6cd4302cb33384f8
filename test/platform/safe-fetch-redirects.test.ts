import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { OutboundFailed, OutboundRejected } from '../../shared/platform/safe-fetch.ts';
import { httpsOrigin, listen, loopbackCaller, PUBLIC_IPV4, tlsOrigin } from './fixtures/loopback-origin.ts';

const START = 'https://hook.example.test/0';

/** An origin that redirects every path in the table and echoes any other request. */
const redirecting = async (table: Readonly<Record<string, string>>, status = 302) => {
  const requests: IncomingMessage[] = [];
  const { port } = await httpsOrigin((request, response) => {
    requests.push(request);
    const location = table[request.url ?? ''];
    if (location === undefined) response.end(`${request.headers.host}${request.url}`);
    else response.writeHead(status, { Location: location }).end('moved');
  });
  return { port, requests };
};

const resolveSplit = async (hostname: string) =>
  hostname.startsWith('private') ? ['8.8.8.8', '10.0.0.1'] : [PUBLIC_IPV4];

describe('a redirect that is followed', () => {
  test.each([301, 302, 303, 307, 308])('with status %i returns the final response', async (status) => {
    const { port } = await redirecting(
      { '/0': 'https://cdn.media.example.test:8443/1', '/1': '/2?x=1', '/2?x=1': '3#end' },
      status,
    );
    const { call, dials, resolutions } = loopbackCaller(port);
    const response = await call(START, { maxRedirects: 3 });
    expect(response.status).toBe(200);
    expect(new TextDecoder().decode(response.body)).toBe('cdn.media.example.test:8443/3');
    expect(dials).toEqual([`${PUBLIC_IPV4} 443`, ...Array.from({ length: 3 }, () => `${PUBLIC_IPV4} 8443`)]);
    expect(resolutions).toEqual(['hook.example.test', ...Array.from({ length: 3 }, () => 'cdn.media.example.test')]);
  });

  test('may be the last one that is allowed; one more fails, and so does a loop', async () => {
    const chain = await redirecting({ '/0': '/1', '/1': '/2', '/2': '/3', '/3': '/4' });
    await expect(loopbackCaller(chain.port).call(START, { maxRedirects: 3 })).rejects.toEqual(
      new OutboundFailed('redirect'),
    );
    expect(chain.requests.map(({ url }) => url)).toEqual(['/0', '/1', '/2', '/3']);
    expect((await loopbackCaller(chain.port).call(START, { maxRedirects: 4 })).status).toBe(200);
    const loop = await redirecting({ '/0': '/1', '/1': '/0' });
    await expect(loopbackCaller(loop.port).call(START, { maxRedirects: 3 })).rejects.toEqual(
      new OutboundFailed('redirect'),
    );
    expect(loop.requests).toHaveLength(4);
  });

  test('sends only harmless headers to another origin, but all headers to its own', async () => {
    const { port, requests } = await redirecting({ '/0': '/1', '/1': 'https://cdn.media.example.test/2' });
    const headers = { Authorization: 'Bearer secret', Cookie: 'a=1', 'X-Api-Key': 'secret', 'User-Agent': 'Test/1' };
    await loopbackCaller(port).call(START, { maxRedirects: 3, headers });
    const sent = requests.map((request) => [
      request.headers.authorization,
      request.headers['x-api-key'],
      request.headers.cookie,
      request.headers['user-agent'],
    ]);
    expect(sent).toEqual([
      ['Bearer secret', 'secret', 'a=1', 'Test/1'],
      ['Bearer secret', 'secret', 'a=1', 'Test/1'],
      [undefined, undefined, undefined, 'Test/1'],
    ]);
  });

  test('sends content negotiation, range and user agent headers to another origin too', async () => {
    const { port, requests } = await redirecting({ '/0': 'https://cdn.media.example.test/1' });
    const headers = { accept: 'audio/*', 'accept-language': 'pt', range: 'bytes=0-9', 'user-agent': 'Test/1' };
    await loopbackCaller(port).call(START, { maxRedirects: 1, headers });
    expect(requests[1]?.headers).toMatchObject(headers);
  });

  test('does not wait for the body of the redirect', async () => {
    const port = await tlsOrigin((socket) => {
      socket.once('data', (head: Buffer) => {
        const isFirst = head.toString().startsWith('GET /0 ');
        socket.write(
          isFirst
            ? 'HTTP/1.1 302 Found\r\nLocation: /1\r\nContent-Length: 999999\r\n\r\nx'
            : 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
        );
      });
    });
    expect((await loopbackCaller(port).call(START, { maxRedirects: 1 })).status).toBe(200);
  });

  test('counts towards the time limit of the whole call', async () => {
    const { port } = await httpsOrigin((_request, response) => {
      setTimeout(() => response.writeHead(302, { Location: '/0' }).end(), 50);
    });
    const call = loopbackCaller(port).call(START, { maxRedirects: 1000, timeoutMs: 400 });
    await expect(call).rejects.toEqual(new OutboundFailed('timeout'));
  });
});

describe('a redirect that is not followed', () => {
  test.each([
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://2130706433/',
    'https://[::ffff:7f00:1]/',
    'https://localhost/',
    '//10.0.0.1/',
    '//metadata.google.internal/',
    '\\\\10.0.0.1\\',
    'https://user:password@hook.example.test/',
    'http://hook.example.test/',
    'http://127.0.0.1:3000/',
    'http://localhost:3000/',
    'file:///etc/passwd',
    'data:text/plain,hello',
    'https://',
    'https://private.example.test/',
    `https://hook.example.test/${'a'.repeat(2048)}`,
  ])('to %s is rejected by both policies', async (location) => {
    const { port, requests } = await redirecting({ '/0': location });
    for (const policy of ['public', 'local'] as const) {
      const { call, dials } = loopbackCaller(port, { policy, resolve: resolveSplit });
      await expect(call(START, { maxRedirects: 3 })).rejects.toEqual(new OutboundRejected());
      expect(dials).toEqual([`${PUBLIC_IPV4} 443`]);
    }
    expect(requests).toHaveLength(2);
  });

  test('is rejected even at the end of a chain, and even if the name resolved to a public address at first', async () => {
    const chain = await redirecting({ '/0': '/1', '/1': '/2', '/2': 'https://192.168.0.1/' });
    const end = loopbackCaller(chain.port);
    await expect(end.call(START, { maxRedirects: 5 })).rejects.toEqual(new OutboundRejected());
    expect(end.dials).toHaveLength(3);
    const responses = [[PUBLIC_IPV4], ['127.0.0.1']];
    const moved = loopbackCaller(chain.port, { resolve: async () => responses.shift() ?? [] });
    await expect(moved.call(START, { maxRedirects: 5 })).rejects.toEqual(new OutboundRejected());
    expect(moved.dials).toHaveLength(1);
  });

  test('is an ordinary response if no redirect is allowed, for a POST request, without a target, and with other statuses', async () => {
    const { port, requests } = await redirecting({ '/0': 'https://10.0.0.1/' });
    const { call } = loopbackCaller(port);
    const response = await call(START);
    expect(response).toMatchObject({ status: 302, headers: { location: 'https://10.0.0.1/' } });
    expect(new TextDecoder().decode(response.body)).toBe('moved');
    expect((await call(START, { method: 'POST', body: '{}', maxRedirects: 3 })).status).toBe(302);
    expect(requests).toHaveLength(2);
    const notModified = await redirecting({ '/0': '/1' }, 304);
    expect((await loopbackCaller(notModified.port).call(START, { maxRedirects: 3 })).status).toBe(304);
    const nowhere = await httpsOrigin((_request, response) => void response.writeHead(302).end());
    expect((await loopbackCaller(nowhere.port).call(START, { maxRedirects: 3 })).status).toBe(302);
  });
});

/** Follows redirects from a plain local origin that redirects the path /0. */
const redirectingLocally = async (location: string) => {
  const port = await listen(
    createServer((request, response) => {
      if (request.url === '/0') response.writeHead(302, { Location: location }).end();
      else response.end(request.headers.host);
    }),
  );
  return loopbackCaller(port, { policy: 'local' });
};

describe('a redirect from a server on this machine, under the local policy', () => {
  test.each(['/1', 'http://localhost:4000/1'])('to %s is followed', async (location) => {
    const { call, dials } = await redirectingLocally(location);
    expect((await call('http://127.0.0.1:3000/0', { maxRedirects: 1 })).status).toBe(200);
    expect(dials).toHaveLength(2);
  });

  test.each(['http://127.0.0.2:3000/', 'http://10.0.0.1:3000/', 'http://127.0.0.1/', 'http://example.com/'])(
    'to %s is rejected',
    async (location) => {
      const { call, dials } = await redirectingLocally(location);
      await expect(call('http://127.0.0.1:3000/0', { maxRedirects: 1 })).rejects.toEqual(new OutboundRejected());
      expect(dials).toHaveLength(1);
    },
  );
});
