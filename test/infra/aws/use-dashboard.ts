/** The owner of an account uses the dashboard, so that every permission for this is used. */
import { expect } from 'vitest';
import type { DashboardOperationId } from '../../../shared/contracts/dashboard.ts';
import type { OperationContract } from '../../../shared/contracts/operation.ts';
import { type OperationId, registry } from '../../../shared/contracts/registry.ts';
import { invite } from '../../../shared/domain/sessions/invitation.ts';
import { callAsPage, giveSession, type PageCall } from '../../support/given-session.ts';
import { testBrowser } from '../../support/test-browser.ts';
import type { TestAccount, TestService } from '../../support/test-service.ts';
import { useDeliveries, useTokens } from './use-tokens.ts';

/** The account's owner logs in, once by invitation, and confirms their identity. */
export async function logInToTheDashboard(host: TestService): Promise<void> {
  const { context } = host.service;
  const [browser, dashboard] = [testBrowser(), context.settings.dashboardUrl];
  const email = 'invited@example.com';
  await invite(context, email);
  host.clock.advance(60_000);
  const pass = async (path: string) => {
    const page = await browser.visit(`${dashboard}/account/api/${path}`, {
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    return browser.submit(`${page.url}/google`, { email });
  };
  for (const path of ['login?provider=Google', 'login?provider=Google', 'confirm']) {
    expect((await pass(path)).url).toBe(`${dashboard}/account/`);
  }
}

/**
 * Calls the dashboard's operations with a session, so that every AWS permission they need is used; ids of objects that
 * do not exist are enough for this.
 */
export async function useTheDashboard(host: TestService, account: TestAccount): Promise<void> {
  const { context } = host.service;
  const { cookie } = await giveSession(context, account.accountId);
  const other = await giveSession(context, account.accountId);
  const page = (operationId: OperationId | DashboardOperationId, call: PageCall = {}) =>
    callAsPage(host.url, operationId, { cookie, ...call });
  const shared = Object.values<OperationContract>(registry).filter(({ dashboard }) => dashboard);
  for (const { operationId, example } of shared) {
    await page(operationId as OperationId, example.params ? { params: example.params } : {});
  }
  await page('getSession');
  await page('listSessions');
  await page('getRetention');
  expect((await page('setRetention', { body: { resultsDays: 90, inputsDays: null } })).status).toBe(200);
  await useTokens(host, account, page);
  await useDeliveries(page);
  await page('revokeSession', { params: { sessionId: other.session.sessionId } });
  await page('logOut');
}
