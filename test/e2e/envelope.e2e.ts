/** Every response has the envelope, whether an operation, the runtime or the gateway creates it. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type BackEnd, newBackEnd } from './back-end.ts';
import { isCapable, target } from './target.ts';

let ana: BackEnd;

beforeAll(async () => {
  ana = await newBackEnd(50);
});

interface ErrorResponse {
  readonly status: number;
  readonly code: string;
}

/** Sends a request and checks what all responses have in common. */
async function ask(
  path: string,
  { headers, ...init }: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<ErrorResponse & { readonly headers: Headers }> {
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

/** Requests per second of which the gateway must reject some: twice the limit in infra/aws/api.ts. */
const throttledFrom = 2000;

const bearer = () => ({ authorization: `Bearer ${ana.token}` });
const post = (body: string, headers: Readonly<Record<string, string>> = {}) => ({
  method: 'POST',
  body,
  headers: { ...bearer(), 'content-type': 'application/json', ...headers },
});

describe('a request that the gateway rejects', () => {
  describe.runIf(isCapable('gateway-responses'))('because the route is missing:', () => {
    test.each([
      ['an unknown path', '/api/v1/nothing', 'GET'],
      ['a path outside the API', '/', 'GET'],
      ['a method that the path does not have', '/api/v1/profile', 'DELETE'],
      ['a preflight', '/api/v1/profile', 'OPTIONS'],
    ])('%s gets 404 in the envelope, without CORS headers', async (_what, path, method) => {
      expect(await ask(path, { method, headers: bearer() })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    });
  });

  test.runIf(isCapable('exact-paths'))('because of a trailing slash gets 404 in the envelope', async () => {
    expect(await ask('/api/v1/profile/', { headers: bearer() })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  test.runIf(isCapable('gateway-limits'))(
    'because the body exceeds the gateway’s own limit gets 400 in the envelope',
    async () => {
      const response = await ask('/api/v1/generate/voice', post('x'.repeat(11 * 2 ** 20)));
      expect(response).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    },
  );

  test.runIf(isCapable('gateway-throttling'))(
    'because all clients together exceed the rate limit gets 429 in the envelope, with Retry-After',
    async ({ skip }) => {
      const rejected: Response[] = [];
      const startedAt = performance.now();
      let sent = 0;
      // The number of requests, which is smaller than a firewall allows from one address.
      for (; rejected.length === 0 && sent < 15_000; sent += 3000) {
        const flood = Array.from({ length: 3000 }, () => fetch(`${target.url}/api/v1/health`));
        rejected.push(...(await Promise.all(flood)).filter(({ status }) => status === 429));
      }
      const perSecond = Math.round((1000 * sent) / (performance.now() - startedAt));
      skip(rejected.length === 0 && perSecond < throttledFrom, `only ${perSecond} requests per second were sent`);
      expect(rejected.length).toBeGreaterThan(0);
      for (const { headers } of rejected) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    },
  );
});

describe('a request that the service rejects', () => {
  test('because the task is unknown gets 404', async () => {
    const response = await ask('/api/v1/tasks/01939f3a-0000-7000-8000-000000000000', { headers: bearer() });
    expect(response).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(response.headers.get('ratelimit-policy')).toBeTruthy();
  });

  test('gets a request id of its own', async () => {
    const [one, other] = await Promise.all([ask('/api/v1/plans'), ask('/api/v1/plans')]);
    expect(one.headers.get('x-request-id')).not.toBe(other.headers.get('x-request-id'));
  });
});
