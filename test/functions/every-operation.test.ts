/** The matrix: every operation with every kind of caller and invalid request, checked against the specification. */

import { once } from 'node:events';
import { type IncomingMessage, request as rawRequest } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OperationId } from '../../shared/contracts/registry.ts';
import { scopes as allScopes } from '../../shared/contracts/scopes.ts';
import { accountKey } from '../../shared/domain/keys.ts';
import { tokenStore } from '../../shared/domain/tokens/token-store.ts';
import { exampleBody } from '../support/example-body.ts';
import { type GivenInbox, giveInbox } from '../support/given-inbox.ts';
import { giveOrder } from '../support/given-order.ts';
import { givePartsUpload } from '../support/given-parts-upload.ts';
import { samplesOf } from '../support/limit-samples.ts';
import { responseProblems } from '../support/openapi-validator.ts';
import { specification } from '../support/specification-table.ts';
import type { Limit, SpecifiedOperation } from '../support/specified-operation.ts';
import { giveExampleProduct } from '../support/studio-cast.ts';
import { type Call, type TestAccount, type TestService, testService } from '../support/test-service.ts';

let host: TestService;
let account: TestAccount;
let taskId: string;
let orderId: string;
let inbox: GivenInbox | undefined;
let upload: Awaited<ReturnType<typeof givePartsUpload>> | undefined;

beforeAll(async () => {
  // No test waits for a task's end; at a faster pace, hundreds of open tasks would be polled continuously.
  host = await testService({ pace: 1 });
});
afterAll(() => host.close());
const freshAccount = async (operationId?: OperationId) => {
  host.engine.play({});
  account = await host.account({ planId: 'business' });
  await giveExampleProduct(host.service.context, account.accountId, host.engine.inputUrls.image);
  taskId = await host.speak(account.token);
  orderId = await giveOrder(host.service.context, account.accountId);
  const isOfInbox = operationId !== undefined && specification[operationId].feature === 'piloto';
  inbox = isOfInbox ? await giveInbox(host, account.accountId) : undefined;
  upload = operationId === 'completeFile' ? await givePartsUpload(host.service.context, account.accountId) : undefined;
};

const operations = Object.entries(specification) as [OperationId, SpecifiedOperation][];
const authenticated = operations.filter(([, { scopes }]) => scopes.length > 0);
const withBody = operations.filter(([, { body }]) => Object.keys(body).length > 0);
const withQuery = operations.filter(([, { query }]) => Object.keys(query).length > 0);

const idsOf = (given: GivenInbox | undefined) =>
  given && { conversationId: given.conversationId, postId: given.postId, commentId: given.commentId };

/** A valid request, in which each test changes one thing. */
const rightCall = (operationId: OperationId): Call => ({
  token: account.token,
  ...(Object.keys(specification[operationId].body).length > 0 && {
    body: {
      ...exampleBody(operationId, host.engine.inputUrls),
      ...(operationId === 'replyToComment' && inbox && { commentId: inbox.commentId }),
      ...(upload && { etags: upload.etags }),
    },
  }),
  params: { taskId, orderId, ...idsOf(inbox), ...(upload && { fileId: upload.fileId }) },
});

const untouched = async () => {
  const { accounts, tasks } = host.service.context;
  const [stored, ids] = await Promise.all([
    accounts.find(account.accountId),
    tasks.ids(account.accountId, {}, { limit: 10, offset: 0 }),
  ]);
  expect(stored).toMatchObject({ balance: 999, openTasks: [taskId] });
  expect(ids).toEqual([taskId]);
};

const inboxId = 'Jx4cF3mVw2bq9RzKpLs1Tg';

const common = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
};

describe.for(operations)('operation %s', ([operationId, specified]) => {
  beforeEach(() => freshAccount(operationId));

  test('succeeds as specified, with the headers of every response', async () => {
    const response = await host.call(operationId, rightCall(operationId));
    expect(response.status, response.body.error?.message).toBe(specified.success);
    expect(response.body.success).toBe(true);
    expect(response.headers).toMatchObject({ ...common, 'cache-control': specified.cacheControl });
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    const limited = specified.scopes.length > 0;
    expect(response.headers['ratelimit-policy']).toBe(limited ? '"token";q=60;w=60' : undefined);
    expect(response.headers.ratelimit !== undefined).toBe(limited);
    if (specified.timeLimitSeconds === undefined) return;
    const created = await host.service.context.tasks.find((response.body.data as { taskId: string }).taskId);
    expect((created?.deadlineAt ?? 0) - (created?.createdAt ?? 0)).toBe(specified.timeLimitSeconds * 1000);
  });
});

describe.for(authenticated)('operation %s', ([operationId, { scopes: specified }]) => {
  beforeEach(() => freshAccount(operationId));
  // A cancellation needs the scope of the operation that created the task: here it is speech.
  const scopes: readonly string[] = operationId === 'cancelTask' ? ['generate:audio'] : specified;

  test('rejects a request without a token with 401 and stores nothing', async () => {
    const { token: _none, ...call } = rightCall(operationId);
    const response = await host.call(operationId, call);
    expect(response.status).toBe(401);
    expect(response.body.error?.code).toBe('UNAUTHORIZED');
    expect(response.headers).toMatchObject({ ...common, 'cache-control': 'no-store' });
    await untouched();
  });

  test('accepts a token with only its scope, and rejects one with all other scopes with 403', async () => {
    const [required = 'read:profile'] = allScopes.filter((scope) => scopes.includes(scope));
    const others = allScopes.filter((scope) => !scopes.includes(scope));
    const { token } = await host.token(account.accountId, others);
    // Checked before the rest of the request is read.
    const broken = { query: 'limit=x', ...(rightCall(operationId).body ? { body: '{' } : {}) };
    const response = await host.call(operationId, { ...rightCall(operationId), ...broken, token });
    expect(response.status).toBe(403);
    expect(response.body.error?.code).toBe('FORBIDDEN');
    if (operationId !== 'cancelTask') {
      for (const needed of scopes) expect(response.body.error?.message).toContain(needed);
    }
    expect(response.headers.ratelimit).toBeDefined();
    await untouched();
    const right = await host.token(account.accountId, [required]);
    expect((await host.call(operationId, { ...rightCall(operationId), token: right.token })).body.success).toBe(true);
  });
});

describe.for(authenticated)('operation %s', ([operationId, { feature, errors }]) => {
  beforeEach(() => freshAccount(operationId));

  test('is available only to accounts whose plan includes its feature, or to all if it needs no feature', async () => {
    const { table } = host.service.context;
    const withFeatures = async (...names: string[]) => {
      await table.update({
        Key: accountKey(account.accountId),
        UpdateExpression: 'SET features = :features',
        ExpressionAttributeValues: { ':features': names },
      });
      const { status, body } = await host.call(operationId, rightCall(operationId));
      return body.success ? 'available' : [status, body.error?.code];
    };
    const others = ['cortes', 'studio', 'piloto'].filter((name) => name !== feature);
    expect(await withFeatures(...others)).toEqual(feature ? [errors.FORBIDDEN, 'FORBIDDEN'] : 'available');
    if (feature) expect(await withFeatures(feature)).toBe('available');
  });
});

describe('the token of a request', () => {
  beforeEach(() => freshAccount());

  test('is checked before the rate limit, which is checked before the scope', async () => {
    const { token } = await host.token(account.accountId, ['read:orders'], host.clock.now() + 30_000);
    for (let count = 0; count < 60; count += 1) {
      expect((await host.call('getProfile', { token })).status).toBe(403);
    }
    const limited = await host.call('getProfile', { token });
    expect([limited.status, limited.body.error?.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    host.clock.advance(30_001);
    expect((await host.call('getProfile', { token })).status).toBe(401);
  });

  test('is rejected once it is revoked', async () => {
    const { token, tokenId } = await host.token(account.accountId);
    await tokenStore(host.service.context.table).revoke(account.accountId, tokenId, host.clock.now());
    expect((await host.call('getProfile', { token })).status).toBe(401);
  });

  test('is rejected with a repeated Authorization header, even if both values are valid', async () => {
    const authorization = `Bearer ${account.token}`;
    const request = rawRequest(`${host.url}${specification.getProfile.path}`);
    request.appendHeader('Authorization', authorization).appendHeader('Authorization', authorization).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const text = Buffer.concat(await Array.fromAsync(response)).toString();
    expect(responseProblems('getProfile', 401, response.headers as Record<string, string>, text)).toEqual([]);
    expect(response.statusCode).toBe(401);
  });
});

describe.for(withBody)('%s rejects a body that violates the specification:', ([operationId, { body }]) => {
  // Rejected requests change nothing, but each token admits only 60 a minute.
  beforeAll(() => freshAccount(operationId));
  afterAll(untouched);
  beforeEach(async () => {
    account = { ...account, ...(await host.token(account.accountId)) };
  });

  const rejects = async (call: Call, message: RegExp) => {
    const response = await host.call(operationId, { ...rightCall(operationId), ...call });
    expect(response.status).toBe(400);
    expect(response.body.error?.code).toBe('VALIDATION_ERROR');
    expect(response.body.error?.message).toMatch(message);
  };

  test.for(['{', '', '[]', 'null', '"text"', '7', '{"text":"a"}}', '\u0000'])('%j', async (text) => {
    await rejects({ body: text, headers: { 'content-type': 'application/json' } }, /JSON/);
  });

  /** A value of each type other than the field's. */
  const wrongFor = (limit: Limit | undefined) =>
    // An empty payer lacks fields of its own.
    [...(limit?.kind === 'payer' ? [] : [{}]), [], true, null].filter(
      (value) => !limit || !samplesOf(limit).accepted.some((right) => isDeepStrictEqual(right, value)),
    );

  test.for(Object.keys(body))('a %s of the wrong type, naming the field', async (field) => {
    const right = rightCall(operationId).body as object;
    for (const wrong of wrongFor(body[field])) {
      await rejects({ body: { ...right, [field]: wrong } }, new RegExp(`^${field} must be `));
    }
  });
});

test.for(withBody)('%s accepts unknown properties, unless its body is strict', async ([operationId, { isStrict }]) => {
  await freshAccount(operationId);
  const right = rightCall(operationId).body as object;
  const call = { ...rightCall(operationId), body: { ...right, unknown: [{}], __proto__x: 1 } };
  const { status, body } = await host.call(operationId, call);
  const message = expect.stringMatching(/^"unknown" is not allowed: the body must have no fields besides /);
  const error = isStrict ? { code: 'VALIDATION_ERROR', message } : undefined;
  expect({ status, error: body.error }).toEqual({ status: isStrict ? 400 : specification[operationId].success, error });
});

describe.for(withQuery)('%s enforces the limits of its query parameters', ([operationId, { query }]) => {
  beforeEach(() => freshAccount(operationId));

  const integers = Object.entries(query).flatMap(([name, limit]) =>
    limit.kind === 'query integer' ? [{ name, ...limit }] : [],
  );

  test.for(integers)('$name from $from to $to', async ({ name, from, to }) => {
    const statusOf = async (value: number) =>
      (await host.call(operationId, { ...rightCall(operationId), query: `${name}=${value}` })).status;
    expect([await statusOf(from), await statusOf(to)]).toEqual([200, 200]);
    expect([await statusOf(from - 1), await statusOf(to + 1)]).toEqual([400, 400]);
  });
});

describe('a path or method without an operation', () => {
  beforeAll(() => freshAccount());
  afterAll(untouched);

  const request = async (method: string, path: string) => {
    const response = await fetch(`${host.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${account.token}` },
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  };

  const isOperation = ([method, path]: [string, string]) =>
    operations.some(([, specified]) => specified.method === method && specified.path === path);

  test.for(
    operations
      .flatMap(
        ([, { method, path }]) =>
          [
            ['HEAD', path],
            ['OPTIONS', path],
            ['PUT', path],
            ['PATCH', path],
            ['DELETE', path],
            [method === 'GET' ? 'POST' : 'GET', path],
            [method, `${path}/`],
            [method, path.toUpperCase()],
            [method, `/${path}`],
          ] as [string, string][],
      )
      .filter((other) => !isOperation(other)),
  )('%s %s is 404 in the envelope', async ([method, path]) => {
    const response = await request(
      method,
      path
        .replace('{taskId}', taskId)
        .replace('{orderId}', orderId)
        .replaceAll(/\{(conversation|post|comment)Id\}/g, inboxId),
    );
    expect(response.status).toBe(404);
    expect(response.headers).toMatchObject({ ...common, 'cache-control': 'no-store' });
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
    if (method === 'HEAD') return;
    expect(responseProblems(undefined, response.status, response.headers, response.text)).toEqual([]);
    expect(JSON.parse(response.text)).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } });
  });

  test.for([
    '/',
    '/api',
    '/api/v1',
    '/api/v2/plans',
    '/api/v1/plans/x',
    '/api/v1/generate',
    '/favicon.ico',
    '/api/v1/%ff',
  ])('GET %s is 404 in the envelope', async (path) => {
    const response = await request('GET', path);
    expect(response.status).toBe(404);
    expect(JSON.parse(response.text)).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });
});
