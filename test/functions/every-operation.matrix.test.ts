/** Every operation, with a valid request and with bodies that are almost valid, checked against the specification. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { matrixRows } from '../support/matrix-rows.ts';
import { specification } from '../support/specification-table.ts';
import { commonHeaders, operations, startOperationScene, withBody } from './operation-scene.ts';

const scene = await startOperationScene();
afterAll(() => scene.host.close());

describe.for(matrixRows(operations))('operation %s', ([operationId, specified]) => {
  beforeEach(() => scene.freshAccount(operationId));

  test('succeeds as specified, with the headers of every response', async () => {
    const response = await scene.host.call(operationId, scene.rightCall(operationId));
    expect(response.status, response.body.error?.message).toBe(specified.success);
    expect(response.body.success).toBe(true);
    expect(response.headers).toMatchObject({ ...commonHeaders, 'cache-control': specified.cacheControl });
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    const limited = specified.scopes.length > 0;
    expect(response.headers['ratelimit-policy']).toBe(limited ? '"token";q=60;w=60' : undefined);
    expect(response.headers.ratelimit !== undefined).toBe(limited);
    if (specified.timeLimitSeconds === undefined) return;
    const created = await scene.host.service.context.tasks.find((response.body.data as { taskId: string }).taskId);
    expect((created?.deadlineAt ?? 0) - (created?.createdAt ?? 0)).toBe(specified.timeLimitSeconds * 1000);
  });
});

describe.for(matrixRows(withBody))('operation %s', ([operationId, { isStrict }]) => {
  beforeAll(() => scene.freshAccount(operationId));

  test('rejects a body that is not JSON', async () => {
    const { status, body } = await scene.host.call(operationId, { ...scene.rightCall(operationId), body: '{' });
    expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('accepts unknown properties, unless its contract is strict', async () => {
    const right = scene.rightCall(operationId).body as object;
    const call = { ...scene.rightCall(operationId), body: { ...right, unknown: [{}], __proto__x: 1 } };
    const { status, body } = await scene.host.call(operationId, call);
    const message = expect.stringMatching(/^"unknown" is not allowed: the body must have no fields besides /);
    const error = isStrict ? { code: 'VALIDATION_ERROR', message } : undefined;
    expect({ status, error: body.error }).toEqual({
      status: isStrict ? 400 : specification[operationId].success,
      error,
    });
  });
});
