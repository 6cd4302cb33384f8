/** Every operation with every kind of caller, checked against the specification. */
import { once } from 'node:events';
import { type IncomingMessage, request as rawRequest } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { scopes as allScopes } from '../../shared/contracts/scopes.ts';
import { tokenStore } from '../../shared/domain/tokens/token-store.ts';
import { matrixRows } from '../support/matrix-rows.ts';
import { responseProblems } from '../support/openapi-validator.ts';
import { specification } from '../support/specification-table.ts';
import { commonHeaders, operations, startOperationScene } from './operation-scene.ts';

const scene = await startOperationScene();
afterAll(() => scene.host.close());

const authenticated = operations.filter(([, { scopes }]) => scopes.length > 0);

describe.for(matrixRows(authenticated))('operation %s', ([operationId, { scopes: specified }]) => {
  beforeAll(() => scene.freshAccount(operationId));
  // What changes a task needs the scope of the operation that created it: here, speech.
  const isByTask = ['cancelTask', 'deleteTask', 'redeliverWebhook'].includes(operationId);
  const scopes: readonly string[] = isByTask ? ['generate:audio'] : specified;

  test('rejects a request without a token with 401 and stores nothing', async () => {
    const { token: _none, ...call } = scene.rightCall(operationId);
    const response = await scene.host.call(operationId, call);
    expect(response.status).toBe(401);
    expect(response.body.error?.code).toBe('UNAUTHORIZED');
    expect(response.headers).toMatchObject({ ...commonHeaders, 'cache-control': 'no-store' });
    await scene.expectUntouched();
  });

  test('accepts a token that has only its scope, and responds 403 to a token that has every scope except that one', async () => {
    const [required = 'read:profile'] = allScopes.filter((scope) => scopes.includes(scope));
    const others = allScopes.filter((scope) => !scopes.includes(scope));
    const { token } = await scene.host.token(scene.account.accountId, others);
    // The scope is checked before the rest of the request is read.
    const broken = { query: 'limit=x', ...(scene.rightCall(operationId).body ? { body: '{' } : {}) };
    const response = await scene.host.call(operationId, { ...scene.rightCall(operationId), ...broken, token });
    expect(response.status).toBe(403);
    expect(response.body.error?.code).toBe('FORBIDDEN');
    if (!isByTask) {
      for (const needed of scopes) expect(response.body.error?.message).toContain(needed);
    }
    expect(response.headers.ratelimit).toBeDefined();
    await scene.expectUntouched();
    const right = await scene.host.token(scene.account.accountId, [required]);
    expect(
      (await scene.host.call(operationId, { ...scene.rightCall(operationId), token: right.token })).body.success,
    ).toBe(true);
  });
});

describe('the token of a request', () => {
  beforeEach(() => scene.freshAccount());

  test('is checked first, then the rate limit, and then the scope', async () => {
    const { token } = await scene.host.token(scene.account.accountId, ['read:orders'], scene.host.clock.now() + 30_000);
    for (let count = 0; count < 60; count += 1) {
      expect((await scene.host.call('getProfile', { token })).status).toBe(403);
    }
    const limited = await scene.host.call('getProfile', { token });
    expect([limited.status, limited.body.error?.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    scene.host.clock.advance(30_001);
    expect((await scene.host.call('getProfile', { token })).status).toBe(401);
  });

  test('is rejected once it is revoked', async () => {
    const { token, tokenId } = await scene.host.token(scene.account.accountId);
    await tokenStore(scene.host.service.context.table).revoke(scene.account.accountId, tokenId, scene.host.clock.now());
    expect((await scene.host.call('getProfile', { token })).status).toBe(401);
  });

  test('is rejected if the Authorization header is sent twice, even if both values are valid', async () => {
    const authorization = `Bearer ${scene.account.token}`;
    const request = rawRequest(`${scene.host.url}${specification.getProfile.path}`);
    request.appendHeader('Authorization', authorization).appendHeader('Authorization', authorization).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const text = Buffer.concat(await Array.fromAsync(response)).toString();
    expect(responseProblems('getProfile', 401, response.headers as Record<string, string>, text)).toEqual([]);
    expect(response.statusCode).toBe(401);
  });
});
