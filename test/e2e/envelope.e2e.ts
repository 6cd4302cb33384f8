/** Every answer is in the envelope, whoever made it: an operation, the runtime or the gateway. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type BackEnd, newBackEnd } from './back-end.ts';
import { isCapable, target } from './target.ts';

let ana: BackEnd;

beforeAll(async () => {
  ana = await newBackEnd(50);
});

interface Refusal {
  readonly status: number;
  readonly code: string;
}

/** Sends a request and holds what every answer must have against the answer. */
async function ask(
  path: string,
  { headers, ...init }: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Refusal & { readonly headers: Headers }> {
  const origin = { origin: 'https://elsewhere.example' };
  const response = await fetch(`${target.url}${path}`, { ...init, headers: { ...origin, ...headers } });
  const text = await response.text();
  expect(response.headers.get('x-request-id')).toMatch(/^[\w=-]{8,}$/);
  expect(response.headers.get('content-type')?.toLowerCase()).toMatch(/^application\/json/);
  const cors = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'));
  expect(cors).toEqual([]);
  const envelope = JSON.parse(text) as { success: boolean; error?: { code: string; message: string } };
  expect(envelope.success).toBe(response.ok);
  if (!response.ok) expect(Object.keys(envelope.error ?? {}).sort()).toEqual(['code', 'message']);
  return { status: response.status, code: envelope.error?.code ?? '', headers: response.headers };
}

/** Requests a second of which the gateway must refuse some: twice what infra/aws/api.ts lets through. */
const throttledFrom = 2000;

const bearer = () => ({ authorization: `Bearer ${ana.token}` });
const post = (body: string, headers: Readonly<Record<string, string>> = {}) => ({
  method: 'POST',
  body,
  headers: { ...bearer(), 'content-type': 'application/json', ...headers },
});

describe('what the gateway itself refuses', () => {
  describe.runIf(isCapable('gateway-responses'))('as a missing route', () => {
    test.each([
      ['an unknown path', '/api/v1/nothing', 'GET'],
      ['a path outside the API', '/', 'GET'],
      ['a method that the path does not have', '/api/v1/profile', 'DELETE'],
      ['a preflight', '/api/v1/profile', 'OPTIONS'],
    ])('%s is 404 in the envelope, without CORS', async (_what, path, method) => {
      expect(await ask(path, { method, headers: bearer() })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    });
  });

  test.runIf(isCapable('exact-paths'))('a slash at the end is 404 in the envelope', async () => {
    expect(await ask('/api/v1/profile/', { headers: bearer() })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  test.runIf(isCapable('gateway-limits'))('a body beyond the gateway’s own limit is 400 in the envelope', async () => {
    const answer = await ask('/api/v1/generate/voice', post('x'.repeat(11 * 2 ** 20)));
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });

  test.runIf(isCapable('gateway-throttling'))('a flood is 429 in the envelope, with Retry-After', async ({ skip }) => {
    const refused: Response[] = [];
    const startedAt = performance.now();
    let sent = 0;
    // Fewer than a firewall takes of an address.
    for (; refused.length === 0 && sent < 15_000; sent += 3000) {
      const flood = Array.from({ length: 3000 }, () => fetch(`${target.url}/api/v1/health`));
      refused.push(...(await Promise.all(flood)).filter(({ status }) => status === 429));
    }
    const perSecond = Math.round((1000 * sent) / (performance.now() - startedAt));
    skip(refused.length === 0 && perSecond < throttledFrom, `only ${perSecond} requests a second left this machine`);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  });
});

describe('what the service refuses', () => {
  test.each([
    ['no token', {}],
    ['a token that is none', { authorization: 'Bearer av_0000' }],
    ['a token with a typo', { authorization: `Bearer av_${'0'.repeat(64)}` }],
  ])('%s is 401', async (_what, headers) => {
    const answer = await ask('/api/v1/profile', { headers });
    expect(answer).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });

  test.each([
    ['malformed JSON', '{', {}],
    ['a body that is no object', '[]', {}],
    ['a wrong type', '{}', { 'content-type': 'text/plain' }],
    ['an empty body', '{}', {}],
    ['a body over 256 KiB', JSON.stringify({ text: 'x'.repeat(256 * 1024), voice: 'sarah' }), {}],
  ])('%s is 400', async (_what, body, headers) => {
    const answer = await ask('/api/v1/generate/voice', post(body, headers));
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });

  test('a task that does not exist is 404', async () => {
    const answer = await ask('/api/v1/tasks/01939f3a-0000-7000-8000-000000000000', { headers: bearer() });
    expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(answer.headers.get('ratelimit-policy')).toBeTruthy();
  });

  test('two requests have two ids', async () => {
    const [one, other] = await Promise.all([ask('/api/v1/plans'), ask('/api/v1/plans')]);
    expect(one.headers.get('x-request-id')).not.toBe(other.headers.get('x-request-id'));
  });
});
