/** The files of a route are built for its first request only. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildAhead, onceDone, reported } from '../../../infra/local/built-folder.ts';
import { builtOnRequest } from '../../../infra/local/built-on-request.ts';

const ask = (page: ReturnType<typeof builtOnRequest>, url: string) =>
  page({ url } as IncomingMessage, {} as ServerResponse, 'request-1');

test('the files of a route are built once, by the first request for any of them, which then goes on to its function', async () => {
  let builds = 0;
  const page = builtOnRequest({ path: '/docs' }, async () => {
    builds += 1;
  });
  for (const url of ['/', '/docs.html', '/api/v1/health', '/openapi.json']) expect(await ask(page, url)).toBe(false);
  expect(builds).toBe(0);
  expect(await Promise.all(['/docs', '/docs/errors', '/docs?a=b'].map((url) => ask(page, url)))).toEqual([
    false,
    false,
    false,
  ]);
  expect(builds).toBe(1);
});

test('files that were built ahead are built again for a request only if their build failed', async () => {
  const order: string[] = [];
  const dashboard = onceDone(async () => {
    order.push('dashboard');
    if (order.length === 1) throw new Error('a page is wrong');
  });
  const docs = onceDone(async () => {
    order.push('docs');
  });
  await buildAhead([dashboard, docs]);
  expect(order).toEqual(['dashboard', 'docs']);
  await ask(builtOnRequest({ path: '/docs' }, docs), '/docs');
  await ask(builtOnRequest({ path: '/account' }, dashboard), '/account');
  expect(order).toEqual(['dashboard', 'docs', 'dashboard']);
});

test('a failed build of a route’s files fails the request, and is tried again for the next request', async () => {
  let builds = 0;
  const page = builtOnRequest({ path: '/docs' }, async () => {
    builds += 1;
    if (builds === 1) throw new Error('a guide is wrong');
  });
  await expect(ask(page, '/docs')).rejects.toThrow('a guide is wrong');
  expect([await ask(page, '/docs'), builds]).toEqual([false, 2]);
});

test('the terminal shows why the files of a route could not be built, and the request fails', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => written.mockRestore());
  const page = builtOnRequest(
    { path: '/docs' },
    reported(() => Promise.reject(new Error('The documentation cannot be built: no file media/voice.mp3'))),
  );
  await expect(ask(page, '/docs')).rejects.toThrow('no file media/voice.mp3');
  expect(written.mock.calls).toEqual([['The documentation cannot be built: no file media/voice.mp3\n']]);
});
