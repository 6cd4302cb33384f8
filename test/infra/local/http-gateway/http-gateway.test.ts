import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { afterEach, expect, it, vi } from 'vitest';
import type { GatewayPage, GatewayRoute } from '../../../../infra/local/http-gateway/http-gateway.ts';
import type { LambdaHandler } from '../../../../infra/local/lambda-host.ts';
import { closeGateways, type Gateway, startGateway } from './gateway-subject.ts';

afterEach(closeGateways);

const echo = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => ({
  statusCode: 200,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(event),
});

const route = (method: string, path: string, functionName = 'echo'): GatewayRoute => ({ method, path, functionName });

const gatewayOf = (
  handler: LambdaHandler,
  routes = [route('GET', '/things'), route('POST', '/things')],
  timeoutSeconds = 60,
) => startGateway({ routes, functions: { echo: { handler, timeoutSeconds } } });

const eventAt = async (gateway: Gateway, path: string, init?: RequestInit): Promise<APIGatewayProxyEvent> =>
  (await (await fetch(`${gateway.url}${path}`, init)).json()) as APIGatewayProxyEvent;

const rawEvent = (response: string): APIGatewayProxyEvent =>
  JSON.parse(response.slice(response.indexOf('\r\n\r\n'))) as APIGatewayProxyEvent;

const notFound = { success: false, error: { code: 'NOT_FOUND', message: 'There is no such path or method.' } };
const internalError = { success: false, error: { code: 'INTERNAL_ERROR', message: expect.any(String) } };

it('the local gateway passes the function the event of an API Gateway REST proxy, with the request id in its context', async () => {
  const gateway = await gatewayOf(echo, [route('POST', '/things/{thingId}/parts/{partId}')]);
  const event = await eventAt(gateway, '/things/a/parts/b?x=1', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': 'test' },
    body: '{"ç":1}',
  });
  expect(event).toMatchObject({
    resource: '/things/{thingId}/parts/{partId}',
    path: '/things/a/parts/b',
    httpMethod: 'POST',
    pathParameters: { thingId: 'a', partId: 'b' },
    queryStringParameters: { x: '1' },
    body: Buffer.from('{"ç":1}').toString('base64'),
    isBase64Encoded: true,
    requestContext: {
      requestId: 'request-1',
      stage: 'local',
      path: '/local/things/a/parts/b',
      resourcePath: '/things/{thingId}/parts/{partId}',
      identity: { sourceIp: '127.0.0.1', userAgent: 'test' },
    },
  });
});

it('the local gateway passes null for a missing query, path parameters and body', async () => {
  const gateway = await gatewayOf(echo);
  const nothing = {
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    body: null,
  };
  expect(await eventAt(gateway, '/things')).toMatchObject(nothing);
  expect(await eventAt(gateway, '/things?')).toMatchObject(nothing);
});

it('the local gateway keeps every value of a repeated header, case-insensitively, and the last one as the single value', async () => {
  const { exchange } = await gatewayOf(echo);
  const event = rawEvent(
    await exchange(
      'GET /things HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer one\r\nauthorization: Bearer two\r\n' +
        '__proto__: x\r\nConnection: close\r\n\r\n',
    ),
  );
  expect(event.multiValueHeaders.Authorization).toStrictEqual(['Bearer one', 'Bearer two']);
  expect(event.headers.Authorization).toBe('Bearer two');
  expect(Object.keys(event.multiValueHeaders)).toStrictEqual(['Host', 'Authorization', '__proto__', 'Connection']);
});

it('the local gateway keeps every value of a repeated query name, decoded', async () => {
  const gateway = await gatewayOf(echo);
  const event = await eventAt(gateway, '/things?a=1&a=2&b=%C3%A7+d&c&__proto__=x');
  expect(event.multiValueQueryStringParameters).toStrictEqual(
    JSON.parse('{ "a": ["1", "2"], "b": ["ç d"], "c": [""], "__proto__": ["x"] }'),
  );
  expect(event.queryStringParameters).toMatchObject({ a: '2', b: 'ç d', c: '' });
});

it.each([
  ['a/b', '/things/a%2Fb'],
  ['ç d', '/things/%C3%A7%20d'],
  ['__proto__', '/things/__proto__'],
])('the local gateway decodes the path parameter %s', async (value, path) => {
  const gateway = await gatewayOf(echo, [route('GET', '/things/{thingId}')]);
  expect((await eventAt(gateway, path)).pathParameters).toStrictEqual({ thingId: value });
});

it.each([
  ['application/json', Buffer.from('{"a":"ç"}')],
  ['text/plain', Buffer.from('a')],
  ['application/json', Buffer.from([0x22, 0xff, 0x22])],
  ['image/png', Buffer.from('plain')],
])('the local gateway passes on a body of type %s byte for byte, encoded in Base64', async (contentType, sent) => {
  const gateway = await gatewayOf(echo);
  const event = await eventAt(gateway, '/things', {
    method: 'POST',
    headers: { 'Content-Type': contentType },
    body: new Uint8Array(sent),
  });
  expect(event.isBase64Encoded).toBe(true);
  expect(Buffer.from(event.body ?? '', 'base64')).toStrictEqual(sent);
});

it('the local gateway responds with the status, headers and body that the function returns', async () => {
  const gateway = await gatewayOf(async () => ({
    statusCode: 201,
    headers: { 'X-Number': 1, 'Content-Length': 3, 'Transfer-Encoding': 'chunked' },
    multiValueHeaders: { 'Set-Cookie': ['a', 'b'] },
    body: Buffer.from('hello').toString('base64'),
    isBase64Encoded: true,
  }));
  const response = await fetch(`${gateway.url}/things`);
  expect(response.status).toBe(201);
  expect(response.headers.get('X-Number')).toBe('1');
  expect(response.headers.getSetCookie()).toStrictEqual(['a', 'b']);
  expect(await response.text()).toBe('hello');
});

it.each<[string, LambdaHandler]>([
  ['throws', () => Promise.reject(new Error('a secret'))],
  ['takes too long', () => new Promise(() => undefined)],
  ['returns nothing', async () => undefined],
  ['returns no status', async () => ({ body: 'a secret' })],
  ['returns an invalid status', async () => ({ statusCode: 99, body: 'a secret' })],
  ['returns an object as the body', async () => ({ statusCode: 200, body: { a: 'secret' } })],
  [
    'returns invalid headers',
    async () => ({ statusCode: 200, headers: { 'X-B': 'a secret', 'X-A': 'a\r\nb: c' }, body: 'a secret' }),
  ],
])('the local gateway responds with 500 and reveals nothing if the function %s', async (_how, handler) => {
  const said: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const gateway = await gatewayOf(handler, undefined, 2);
  const response = await fetch(`${gateway.url}/things`);
  write.mockRestore();
  expect(response.status).toBe(500);
  const body = await response.text();
  expect(JSON.parse(body)).toStrictEqual(internalError);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'x-request-id': 'request-1',
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  expect(response.headers.get('X-B')).toBeNull();
  expect(said).toStrictEqual(['Gateway: function echo failed.\n']);
  expect(body).not.toContain('secret');
});

it('the local gateway prefers a route with a static segment to one with a parameter, and accepts only its methods', async () => {
  const gateway = await startGateway({
    routes: [
      route('GET', '/things/{thingId}'),
      route('POST', '/things/latest'),
      route('GET', '/{kind}/latest/parts'),
      route('GET', '/things/{thingId}/parts'),
    ],
    functions: { echo: { handler: echo, timeoutSeconds: 1 } },
  });
  expect(await eventAt(gateway, '/things/other')).toMatchObject({ resource: '/things/{thingId}' });
  expect(await eventAt(gateway, '/things/latest', { method: 'POST' })).toMatchObject({ resource: '/things/latest' });
  expect(await eventAt(gateway, '/things/latest')).toStrictEqual(notFound);
  expect(await eventAt(gateway, '/things/latest/parts')).toMatchObject({ resource: '/things/{thingId}/parts' });
  expect(await eventAt(gateway, '/others/latest/parts')).toMatchObject({ resource: '/{kind}/latest/parts' });
});

it('the local gateway passes all remaining path segments as a greedy parameter, and prefers any other matching route', async () => {
  const gateway = await startGateway({
    routes: [route('GET', '/files/{path+}'), route('GET', '/files'), route('GET', '/files/{fileId}/parts')],
    functions: { echo: { handler: echo, timeoutSeconds: 1 } },
  });
  const found = async (path: string) => {
    const { resource, pathParameters } = await eventAt(gateway, path);
    return [resource, pathParameters];
  };
  expect(await found('/files/a')).toEqual(['/files/{path+}', { path: 'a' }]);
  expect(await found('/files/a/b%20c/d')).toEqual(['/files/{path+}', { path: 'a/b c/d' }]);
  expect(await found('/files/a/parts')).toEqual(['/files/{fileId}/parts', { fileId: 'a' }]);
  expect(await found('/files')).toEqual(['/files', null]);
  expect(await eventAt(gateway, '/files/')).toStrictEqual(notFound);
});

const page =
  (path: string, text: string): GatewayPage =>
  async (request, response) => {
    if (request.url !== path) return false;
    response.end(text);
    return true;
  };

it('the local gateway tries pages before routes, in their order and for every method', async () => {
  const gateway = await startGateway({
    routes: [route('GET', '/docs'), route('POST', '/docs'), route('GET', '/things')],
    functions: { echo: { handler: async () => ({ statusCode: 200, body: 'function' }), timeoutSeconds: 1 } },
    pages: [page('/a', 'a'), page('/docs', 'first'), page('/docs', 'second')],
  });
  const textAt = async (path: string, method = 'GET') => (await fetch(`${gateway.url}${path}`, { method })).text();
  expect(await textAt('/docs')).toBe('first');
  expect((await fetch(`${gateway.url}/docs`, { method: 'HEAD' })).status).toBe(200);
  expect(await textAt('/docs', 'POST')).toBe('first');
  expect(await textAt('/things')).toBe('function');
});

it('if a page fails, the local gateway responds with 500, or closes the connection if the response has begun', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const gateway = await startGateway({
    routes: [],
    pages: [
      async (request, response) => {
        if (request.url === '/later') response.writeHead(200, { 'Content-Length': '10' }).write('half');
        throw new Error('a secret');
      },
    ],
  });
  const now = await fetch(`${gateway.url}/now`);
  expect(now.status).toBe(500);
  expect(await now.json()).toStrictEqual(internalError);
  await expect(fetch(`${gateway.url}/later`).then((later) => later.text())).rejects.toThrow(TypeError);
  write.mockRestore();
});
