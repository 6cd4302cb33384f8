import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { outbound } from '../../shared/platform/outbound.ts';
import { settingsOf } from '../../shared/platform/settings.ts';
import { GET, listen } from './fixtures/loopback-origin.ts';

const names: Readonly<Record<string, readonly string[]>> = {
  'public.example.com': ['8.8.8.8'],
  'private.example.com': ['8.8.8.8', '10.0.0.1'],
};

const under = (policy: 'public' | 'local', more: Readonly<Record<string, string>> = {}) =>
  outbound(
    { settings: settingsOf({ URL_POLICY: policy, ...more }) },
    async (name) => names[name] ?? Promise.reject(new Error()),
  );

describe('a URL in a request', () => {
  test.for([
    ['both policies', 'https://8.8.8.8/hook'],
    ['both policies', 'https://public.example.com/hook'],
    ['both policies', 'https://unknown.example.com/hook'],
    ['only the local policy', 'http://127.0.0.1:3000/hook'],
    ['neither policy', 'http://public.example.com/hook'],
    ['neither policy', 'https://private.example.com/hook'],
    ['neither policy', 'https://10.0.0.1/hook'],
    ['neither policy', 'not a URL'],
  ] as const)('is allowed by %s: %s', async ([policies, url]) => {
    expect(await under('public').admits(url)).toBe(policies === 'both policies');
    expect(await under('local').admits(url)).toBe(policies !== 'neither policy');
  });
});

describe('an outbound request', () => {
  test('obeys the service’s URL policy', async () => {
    const port = await listen(createServer((_request, response) => void response.end('here')));
    const url = `http://127.0.0.1:${port}/`;
    expect((await under('local').fetch(url, GET)).status).toBe(200);
    await expect(under('public').fetch(url, GET)).rejects.toThrow('the address is not allowed');
  });

  test('resolves the host name again, because it may point elsewhere than when the URL was allowed', async () => {
    const call = under('public').fetch('https://private.example.com/hook', GET);
    await expect(call).rejects.toThrow('the address is not allowed');
  });

  test('can read the service’s own files on this machine, but nothing else on this machine', async () => {
    const port = await listen(
      createServer((request, response) => {
        const isMoved = request.url?.includes('moved');
        response.writeHead(isMoved ? 302 : 200, { location: '/files/a.png' }).end('here');
      }),
    );
    const url = `http://127.0.0.1:${port}`;
    const { open } = under('public', { LOCAL_FILES_URL: url });
    const bounds = { ...GET, maxRedirects: 3 };
    for (const path of ['/files/a-1.png', '/results/task-1-secret/1.mp4']) {
      const stream = await open(`${url}${path}`, bounds);
      expect(stream.status).toBe(200);
      stream.close();
    }
    const others = [
      '/api/v1/plans',
      '/files/',
      '/files/../admin',
      '/files/%2e%2e/admin',
      '/files/a.png?x',
      '0/files/a.png',
    ];
    for (const path of others) await expect(open(`${url}${path}`, bounds), path).rejects.toThrow('not allowed');
    const moved = await open(`${url}/files/moved.png`, bounds);
    expect(moved.status).toBe(302);
    moved.close();
    await expect(under('public').open(`${url}/files/a-1.png`, bounds)).rejects.toThrow('not allowed');
  });
});
