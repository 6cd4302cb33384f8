/** Every operation under each plan, and with a test token. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { accountKey } from '../../shared/domain/keys.ts';
import { testAccountOf } from '../../shared/domain/test-account.ts';
import { operations, startOperationScene } from './operation-scene.ts';

const scene = await startOperationScene();
afterAll(() => scene.host.close());

const authenticated = operations.filter(([, { scopes }]) => scopes.length > 0);

/** Operations with money, and with people outside the service. */
const liveOnly = /^\/api\/v1\/(orders|subscriptions|piloto)\b/;

test.for(authenticated)(
  'operation %s accepts test tokens, unless it belongs to orders, subscriptions or the inbox',
  async ([operationId, { method, path, scopes }]) => {
    await scene.freshAccount(operationId);
    const { token } = await scene.host.token(testAccountOf(scene.account.accountId));
    const { status, headers, body } = await scene.host.call(operationId, { ...scene.rightCall(operationId), token });
    expect(headers['x-test-mode']).toBe('true');
    const isLiveOnly = liveOnly.test(path) || (method === 'POST' && scopes.includes('create:credits'));
    const refusal = { code: 'FORBIDDEN', message: 'Test tokens cannot use this operation: use a live token.' };
    if (isLiveOnly) expect([status, body.error]).toEqual([403, refusal]);
    // Resources that a test token did not create do not exist for it.
    else expect([200, 201, 202, 400, 404, 502]).toContain(status);
  },
);

describe.for(authenticated)('operation %s', ([operationId, { feature, errors }]) => {
  beforeEach(() => scene.freshAccount(operationId));

  test('is available only to accounts whose plan includes its feature, or to all if it needs no feature', async () => {
    const { table } = scene.host.service.context;
    const withFeatures = async (...names: string[]) => {
      await table.update({
        Key: accountKey(scene.account.accountId),
        UpdateExpression: 'SET features = :features',
        ExpressionAttributeValues: { ':features': names },
      });
      const { status, body } = await scene.host.call(operationId, scene.rightCall(operationId));
      return body.success ? 'available' : [status, body.error?.code];
    };
    const others = ['cortes', 'studio', 'piloto'].filter((name) => name !== feature);
    expect(await withFeatures(...others)).toEqual(feature ? [errors.FORBIDDEN, 'FORBIDDEN'] : 'available');
    if (feature) expect(await withFeatures(feature)).toBe('available');
  });
});
