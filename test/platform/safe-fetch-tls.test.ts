import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { OutboundFailed, safeFetch } from '../../shared/platform/safe-fetch.ts';
import {
  GET,
  httpsOrigin,
  listen,
  loopbackCaller,
  PUBLIC_IPV4,
  PUBLIC_IPV6,
  replying,
  tcpOrigin,
} from './fixtures/loopback-origin.ts';

const hostEcho = () => httpsOrigin((request, response) => void response.end(request.headers.host));
const TLS_FAILURE = new OutboundFailed('tls');

describe('the TLS certificate of an outbound request’s server', () => {
  test.each([
    ['https://hook.example.test/', 'hook.example.test', 'hook.example.test'],
    ['https://HOOK.example.test:8443/', 'hook.example.test', 'hook.example.test:8443'],
    ['https://cdn.media.example.test/', 'cdn.media.example.test', 'cdn.media.example.test'],
    ['https://bücher.example.test/', 'xn--bcher-kva.example.test', 'xn--bcher-kva.example.test'],
  ])('for %s is requested with server name %s and host %s', async (url, serverName, host) => {
    const { port, serverNames } = await hostEcho();
    const { call, dials } = loopbackCaller(port);
    const response = await call(url);
    expect(new TextDecoder().decode(response.body)).toBe(host);
    expect(serverNames).toEqual([serverName]);
    expect(dials[0]).toMatch(`${PUBLIC_IPV4} `);
  });

  test.each([
    [`https://${PUBLIC_IPV4}/`, PUBLIC_IPV4],
    [`https://[${PUBLIC_IPV6}]/`, `[${PUBLIC_IPV6}]`],
  ])('for %s is verified against the address, without a server name', async (url, host) => {
    const { port, serverNames } = await hostEcho();
    const response = await loopbackCaller(port).call(url);
    expect(new TextDecoder().decode(response.body)).toBe(host);
    expect(serverNames).toEqual([]);
  });

  test.each([
    'https://other.example.test/',
    'https://a.b.media.example.test/',
    'https://8.8.8.8/',
    'https://[2606:4700::8]/',
  ])('that is not valid for %s is rejected before any byte of the request is sent', async (url) => {
    let requests = 0;
    const { port } = await httpsOrigin((_request, response) => {
      requests += 1;
      response.end();
    });
    await expect(loopbackCaller(port).call(url)).rejects.toEqual(TLS_FAILURE);
    expect(requests).toBe(0);
  });

  test('from an untrusted authority is rejected', async () => {
    const { port } = await hostEcho();
    const call = safeFetch({
      policy: 'public',
      resolve: async () => [PUBLIC_IPV4],
      connect: () => connect({ host: '127.0.0.1', port }),
    });
    await expect(call('https://hook.example.test/', GET)).rejects.toEqual(TLS_FAILURE);
  });

  test('is verified even if the environment disables verification', async () => {
    vi.spyOn(process, 'emitWarning').mockReturnValue();
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    try {
      const { port } = await hostEcho();
      await expect(loopbackCaller(port).call('https://other.example.test/')).rejects.toEqual(TLS_FAILURE);
    } finally {
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
    }
  });
});

describe('an outbound request to a server that does not speak TLS', () => {
  test('fails in the handshake, whether the server responds in plain text or hangs up', async () => {
    const clear = await tcpOrigin(replying('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    await expect(loopbackCaller(clear).call('https://hook.example.test/')).rejects.toEqual(TLS_FAILURE);
    const deaf = await tcpOrigin((socket) => void socket.once('data', () => socket.resetAndDestroy()));
    await expect(loopbackCaller(deaf).call('https://hook.example.test/')).rejects.toEqual(TLS_FAILURE);
  });
});

test('outbound requests ignore a proxy that the environment configures', async () => {
  const proxied: string[] = [];
  const proxy = await listen(
    createServer((request, response) => {
      proxied.push(request.url ?? '');
      response.end('proxy');
    }),
  );
  const target = await listen(createServer((_request, response) => void response.end('direct')));
  const module = new URL('../../shared/platform/safe-fetch.ts', import.meta.url).href;
  const script = `
    import { get } from 'node:http';
    import { text } from 'node:stream/consumers';
    import { safeFetch } from ${JSON.stringify(module)};
    const usual = await new Promise((done) => get('http://127.0.0.1:${target}/', (r) => done(text(r))));
    const request = { method: 'GET', timeoutMs: 5000, maxResponseBytes: 99, onOverflow: 'fail', maxRedirects: 0 };
    const { body } = await safeFetch({ policy: 'local' })('http://127.0.0.1:${target}/', request);
    process.stdout.write(usual + ' ' + new TextDecoder().decode(body));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: `http://127.0.0.1:${proxy}`, http_proxy: `http://127.0.0.1:${proxy}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  await once(child, 'close');
  expect(output).toBe('proxy direct');
  expect(proxied).toHaveLength(1);
});
