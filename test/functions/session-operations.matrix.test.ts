/** Each operation of the dashboard: which callers and origins it admits under a session. */
import { describe, expect, test } from 'vitest';
import { type DashboardOperationId, dashboardContracts } from '../../shared/contracts/dashboard.ts';
import type { OperationContract, RequestContract } from '../../shared/contracts/operation.ts';
import { type OperationId, registry } from '../../shared/contracts/registry.ts';
import { giveInbox } from '../support/given-inbox.ts';
import { callAsPage } from '../support/given-session.ts';
import { matrixRows } from '../support/matrix-rows.ts';
import { account, call, host, startSessionScene } from './session-scene.ts';

await startSessionScene();

const shared = Object.values<OperationContract>(registry).filter(({ dashboard }) => dashboard);
const all: readonly RequestContract[] = [...shared, ...Object.values(dashboardContracts)];
const idOf = ({ operationId }: RequestContract) => operationId as OperationId | DashboardOperationId;
const paramsOf = ({ example }: RequestContract) => (example.params ? { params: example.params } : {});

/**
 * The status of an admitted request, which is sent without a body and with ids that do not exist. Only its body or its
 * ids may be rejected.
 */
function openStatusOf({ body, params, success }: RequestContract): number {
  // If the body may be empty, the operation requires a confirmation of the owner's identity, which is missing.
  if (body) return body.safeParse({}).success ? 403 : 400;
  return params ? 404 : success.status;
}

describe.each(matrixRows(all))('the dashboard’s operation $operationId', (contract) => {
  const request = paramsOf(contract);

  test('rejects a request without a session with 401 and is never cached', async () => {
    const response = await callAsPage(host.url, idOf(contract), request);
    expect([response.status, response.body.error?.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers['www-authenticate']).toBeUndefined();
  });

  test('rejects a request with a token instead of a session', async () => {
    const headers = { authorization: `Bearer ${account.token}` };
    expect((await callAsPage(host.url, idOf(contract), { ...request, headers })).status).toBe(401);
  });

  test('accepts a request from the dashboard’s own origin', async () => {
    if (contract.feature === 'piloto') await giveInbox(host, account.accountId);
    const response = await call(idOf(contract), request);
    expect(response.status).toBe(openStatusOf(contract));
    expect(response.headers['cache-control']).toBe('no-store');
  });
});

describe.each(matrixRows(all.filter(({ method }) => method !== 'GET')))(
  'the dashboard’s operation $operationId',
  (contract) => {
    test('rejects a write that does not come from a page of the dashboard', async () => {
      const forged = ['cross-site', 'same-site', 'none'].map((site) => ({ 'sec-fetch-site': site }));
      for (const headers of forged) {
        const response = await call(idOf(contract), { ...paramsOf(contract), headers });
        expect([response.status, response.body.error?.code]).toEqual([403, 'FORBIDDEN']);
      }
      const live = await call('getSession');
      expect(live.status).toBe(200);
    });
  },
);

test.each(matrixRows(all.filter(({ method }) => method === 'POST')))(
  'the dashboard’s operation $operationId rejects the content types that a form can send',
  async (contract) => {
    const headers = { 'content-type': 'text/plain' };
    const response = await call(idOf(contract), { ...paramsOf(contract), headers, body: '{}' });
    expect([response.status, response.body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  },
);
