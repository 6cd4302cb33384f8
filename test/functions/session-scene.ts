/** A session of the owner of an account with the largest plan, another for each test. */
import { beforeEach } from 'vitest';
import type { DashboardOperationId } from '../../shared/contracts/dashboard.ts';
import type { OperationId } from '../../shared/contracts/registry.ts';
import { callAsPage, type GivenSession, giveSession, type PageCall } from '../support/given-session.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { serviceInTests, type TestAccount, type TestService } from '../support/test-service.ts';

// Assigned by each test file, because files in one process share this module.
export let host: TestService;
export let account: TestAccount;
export let given: GivenSession;

export async function startSessionScene(): Promise<void> {
  host = await serviceInTests({ clock: stillClock(), hasIdentity: true });
  beforeEach(async () => {
    account = await host.account({ planId: 'business' });
    given = await giveSession(host.service.context, account.accountId);
  });
}

export const call = (operationId: OperationId | DashboardOperationId, request: PageCall = {}) =>
  callAsPage(host.url, operationId, { cookie: given.cookie, ...request });
