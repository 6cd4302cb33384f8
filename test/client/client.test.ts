import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiError, client } from '../../client/client.ts';
import { errorBody, successBody } from '../../shared/contracts/envelope.ts';
import type { OperationContract } from '../../shared/contracts/operation.ts';
import { registry } from '../../shared/contracts/registry.ts';

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Prepared {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const json = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Prepared => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': 'request-1', ...headers },
  body,
});

const taskId = '0193a5c4-8f0f-7aa2-b1c3-1d2e3f405162';
const accepted = { taskId, status: 'queued' };

let received: Received[];
let prepared: Prepared;

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => {
    body += text;
  });
  request.on('end', () => {
    received.push({ method: request.method, url: request.url, headers: request.headers, body });
    response.writeHead(prepared.status, prepared.headers).end(prepared.body);
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeEach(() => {
  received = [];
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const rejection = async (promise: Promise<unknown>): Promise<unknown> => {
  const [result] = await Promise.allSettled([promise]);
  return result.status === 'rejected' ? result.reason : undefined;
};

describe('the API client', () => {
  it('has a function for every operation of the registry, and a dry run for those that support it', () => {
    const api = client({ baseUrl });
    const operations = Object.keys(api).filter((name) => !['waitForTask', 'waitForTasks', 'files'].includes(name));
    expect(operations, 'npm run openapi generates client/operations.ts').toEqual(Object.keys(registry));
    const withDryRun = Object.entries(api).flatMap(([id, call]) => ('dryRun' in call ? [id] : []));
    expect(withDryRun).toEqual(
      Object.values<OperationContract>(registry).flatMap(({ operationId, headers }) =>
        headers?.shape['x-dry-run'] ? [operationId] : [],
      ),
    );
  });

  it('sends body, token and idempotency key, and returns status, headers and data', async () => {
    prepared = json(202, successBody(accepted), { 'Idempotent-Replayed': 'true' });
    const body = { text: 'Olá 😀', voice: 'sarah' };
    const given = await client({ baseUrl, token: 'av_token' }).generateVoice({ body, idempotencyKey: 'key 1' });

    expect(given).toMatchObject({ status: 202, data: accepted });
    expect(given.headers.get('idempotent-replayed')).toBe('true');
    const [request] = received;
    expect(request).toMatchObject({
      method: 'POST',
      url: '/api/v1/generate/voice',
      headers: { authorization: 'Bearer av_token', 'content-type': 'application/json', 'idempotency-key': 'key 1' },
    });
    expect(JSON.parse(request?.body ?? '')).toEqual(body);
  });

  it('requests a dry run with its header, in addition to the caller’s headers', async () => {
    prepared = json(200, successBody({ cost: 1, balance: 9, operation: 'generateVoice' }));
    const { data } = await client({ baseUrl, token: 'av_token' }).generateVoice.dryRun({
      body: { text: 'a', voice: 'sarah' },
      headers: { 'X-Client-Reference': 'mine' },
    });
    expect(data.cost).toBe(1);
    expect(received[0]?.headers).toMatchObject({ 'x-dry-run': 'true', 'x-client-reference': 'mine' });
  });

  it('fills in escaped path parameters and query values, and omits undefined ones', async () => {
    prepared = json(200, successBody({ tasks: [], limit: 3, offset: 0 }));
    const api = client({ baseUrl: `${baseUrl}/` });
    await api.listTasks({ query: { limit: 3, clientReference: 'a&b=c é', status: undefined } });
    await api.getTask({ params: { taskId: '../plans?x#y' } });
    expect(received.map(({ url }) => url)).toEqual([
      '/api/v1/tasks?limit=3&clientReference=a%26b%3Dc+%C3%A9',
      '/api/v1/tasks/..%2Fplans%3Fx%23y',
    ]);
  });

  it('sends no token and no content type without a token and a body', async () => {
    prepared = json(200, successBody({ plans: [] }));
    await client({ baseUrl }).listPlans();
    expect(received[0]?.headers).not.toHaveProperty('authorization');
    expect(received[0]?.headers).not.toHaveProperty('content-type');
  });

  it('throws an error response with its status, code, message and headers', async () => {
    prepared = json(429, errorBody('RATE_LIMITED', 'too many'), { 'Retry-After': '7' });
    const error = await rejection(client({ baseUrl, token: 'av_token', maxRetries: 0 }).getProfile());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 429, code: 'RATE_LIMITED', message: 'too many' });
    expect((error as ApiError).headers.get('retry-after')).toBe('7');
  });

  it('throws an error other than ApiError if the response does not come from the service', async () => {
    prepared = { status: 502, headers: { 'Content-Type': 'text/html' }, body: '<h1>Bad Gateway</h1>' };
    const error = await rejection(client({ baseUrl, maxRetries: 0 }).getHealth());
    expect(error).not.toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ message: expect.stringContaining('status 502') });
  });

  it('sends its requests with the fetch function that the caller supplies', async () => {
    const urls: string[] = [];
    const { data } = await client({
      baseUrl: 'https://api.example.com',
      fetch: async (input) => {
        if (input instanceof URL) urls.push(input.href);
        return Response.json({ success: true, data: { status: 'ok' } });
      },
    }).getHealth();
    expect(data.status).toBe('ok');
    expect(urls).toEqual(['https://api.example.com/api/v1/health']);
  });
});
