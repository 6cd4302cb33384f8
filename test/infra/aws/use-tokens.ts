/** The owner of an account manages tokens in the dashboard, so that every permission for this is used. */
import { expect } from 'vitest';
import type { DashboardOperationId } from '../../../shared/contracts/dashboard.ts';
import type { OperationId } from '../../../shared/contracts/registry.ts';
import { activeTokensKey } from '../../../shared/domain/keys.ts';
import { giveSession, type PageCall } from '../../support/given-session.ts';
import type { TestAccount, TestResponse, TestService } from '../../support/test-service.ts';

type Page = (operationId: OperationId | DashboardOperationId, call?: PageCall) => Promise<TestResponse>;

/** The account's row of active tokens is created again, as for an account of an earlier release. */
export async function useTokens(host: TestService, account: TestAccount, page: Page): Promise<void> {
  const { context } = host.service;
  const forget = () => context.table.transact([{ Delete: { Key: activeTokensKey(account.accountId) } }]);
  const { tokenId } = await host.token(account.accountId);
  const user = host.service.identity?.users.fromProvider('Google', { email: 'owner@example.com', name: 'Owner' });
  const username = user?.username ?? '';
  const { cookie } = await giveSession(context, account.accountId, { kind: 'social', provider: 'Google', username });
  const body = { name: 'used', scopes: ['read:tasks'] };
  await forget();
  const cap = { params: { tokenId }, body: { monthlyCreditCap: 5 } };
  expect((await page('setTokenCap', { ...cap, cookie })).status).toBe(200);
  await page('setTokenCap', { ...cap, body: { ...cap.body, password: 'a guess' } });
  await page('listTokens');
  // An owner may use test mode in the dashboard before there is a test token.
  const tester = await giveSession(context, (await host.account()).accountId);
  expect((await page('fillTestCredits', { cookie: tester.cookie })).status).toBe(200);
  await forget();
  const test = await page('createToken', { cookie, body: { ...body, mode: 'test', scopes: ['generate:audio'] } });
  await host.speak((test.body.data as { token: string }).token);
  expect((await page('fillTestCredits')).status).toBe(200);
  await forget();
  expect((await page('createToken', { cookie, body })).status).toBe(201);
  // The first guess of an account's password creates a row, so each operation is tried with another account.
  await page('createToken', { cookie: tester.cookie, body: { ...body, password: 'a guess' } });
  await forget();
  expect((await page('revokeToken', { params: { tokenId } })).status).toBe(200);
}

export async function useDeliveries(page: Page): Promise<void> {
  const { body } = await page('listDeliveries');
  const [delivery] = (body.data as { deliveries: { taskId: string }[] }).deliveries;
  const params = { taskId: delivery?.taskId ?? '' };
  await page('listTaskEvents', { params });
  await page('redeliverWebhook', { params });
}
