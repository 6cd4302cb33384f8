/** Every operation with every invalid body, query and path, checked against the specification. */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { samplesOf } from '../support/limit-samples.ts';
import { responseProblems } from '../support/openapi-validator.ts';
import type { Limit } from '../support/specified-operation.ts';
import type { Call } from '../support/test-service.ts';
import { commonHeaders, operations, startOperationScene, withBody } from './operation-scene.ts';

const scene = await startOperationScene();
afterAll(() => scene.host.close());

const integersIn = ({ query }: (typeof operations)[number][1]) =>
  Object.entries(query).flatMap(([name, limit]) => (limit.kind === 'query integer' ? [{ name, ...limit }] : []));
const withIntegers = operations.filter(([, operation]) => integersIn(operation).length > 0);
const inboxId = 'Jx4cF3mVw2bq9RzKpLs1Tg';

describe.for(withBody)('%s rejects a body that violates the specification:', ([operationId, { body }]) => {
  // Rejected requests change nothing, but each token admits only 60 a minute.
  beforeAll(() => scene.freshAccount(operationId));
  afterAll(() => scene.expectUntouched());
  beforeEach(() => scene.freshToken());

  const rejects = async (call: Call, message: RegExp) => {
    const response = await scene.host.call(operationId, { ...scene.rightCall(operationId), ...call });
    expect(response.status).toBe(400);
    expect(response.body.error?.code).toBe('VALIDATION_ERROR');
    expect(response.body.error?.message).toMatch(message);
  };

  test.for(['{', '', '[]', 'null', '"text"', '7', '{"text":"a"}}', '\u0000'])('%j', async (text) => {
    await rejects({ body: text, headers: { 'content-type': 'application/json' } }, /JSON/);
  });

  /** A value of each type other than the field's. */
  const wrongFor = (limit: Limit | undefined) =>
    // The error of an empty payer names the fields that it lacks, not the payer.
    [...(limit?.kind === 'payer' ? [] : [{}]), [], true, null].filter(
      (value) => !limit || !samplesOf(limit).accepted.some((right) => isDeepStrictEqual(right, value)),
    );

  test.for(Object.keys(body))('a value of the wrong type for %s, with an error that names the field', async (field) => {
    const right = scene.rightCall(operationId).body as object;
    for (const wrong of wrongFor(body[field])) {
      await rejects({ body: { ...right, [field]: wrong } }, new RegExp(`^${field} must be `));
    }
  });
});

describe.for(withIntegers)('%s enforces the limits of its query parameters', ([operationId, operation]) => {
  beforeEach(() => scene.freshAccount(operationId));

  test.for(integersIn(operation))('$name from $from to $to', async ({ name, from, to }) => {
    const statusOf = async (value: number) =>
      (await scene.host.call(operationId, { ...scene.rightCall(operationId), query: `${name}=${value}` })).status;
    expect([await statusOf(from), await statusOf(to)]).toEqual([200, 200]);
    expect([await statusOf(from - 1), await statusOf(to + 1)]).toEqual([400, 400]);
  });
});

describe('a path or method without an operation', () => {
  beforeAll(() => scene.freshAccount());
  afterAll(() => scene.expectUntouched());

  const request = async (method: string, path: string) => {
    const response = await fetch(`${scene.host.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${scene.account.token}` },
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
  )('%s %s gets 404 in the error envelope', async ([method, path]) => {
    const response = await request(
      method,
      path
        .replace('{taskId}', scene.taskId)
        .replace('{orderId}', scene.orderId)
        .replaceAll(/\{(conversation|post|comment)Id\}/g, inboxId),
    );
    expect(response.status).toBe(404);
    expect(response.headers).toMatchObject({ ...commonHeaders, 'cache-control': 'no-store' });
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
  ])('GET %s gets 404 in the error envelope', async (path) => {
    const response = await request('GET', path);
    expect(response.status).toBe(404);
    expect(JSON.parse(response.text)).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });
});
