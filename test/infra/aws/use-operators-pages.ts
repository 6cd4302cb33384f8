/** An operator uses their pages, so that every permission for this is used. */
import { expect } from 'vitest';
import { messageQueues } from '../../../shared/contracts/message-queues.ts';
import { type OperateOperationId, operateContracts } from '../../../shared/contracts/operate.ts';
import type { OperateContract } from '../../../shared/contracts/operation.ts';
import { caseIdOf } from '../../../shared/domain/billing/cases/billing-case.ts';
import { insertCase } from '../../../shared/domain/billing/cases/case-store.ts';
import { invoiceHandles } from '../../../shared/domain/billing/subscriptions/subscription-store.ts';
import { invoiceKey } from '../../../shared/domain/keys.ts';
import { groupOf } from '../../../shared/domain/operator-sessions/operator-groups.ts';
import { giveInbox } from '../../support/given-inbox.ts';
import { callAsOperator, giveOperator } from '../../support/given-operator.ts';
import { giveOrder } from '../../support/given-order.ts';
import type { PageCall } from '../../support/given-session.ts';
import { giveSession } from '../../support/given-session.ts';
import { giveView } from '../../support/given-view.ts';
import { testBrowser } from '../../support/test-browser.ts';
import type { TestAccount, TestService } from '../../support/test-service.ts';

/** Logs in twice, so that the second session replaces the first, and ends its view. */
export async function logInAsOperator(host: TestService, { accountId }: TestAccount): Promise<void> {
  const { service } = host;
  const { dashboardUrl } = service.context.settings;
  const [browser, email, password] = [testBrowser(), 'operator@example.com', 'right horse'];
  service.identity?.users.addWithPassword({ email, name: 'Ana', groups: [groupOf('admin')] }, password);
  for (let count = 0; count < 2; count += 1) {
    const page = await browser.visit(`${dashboardUrl}/operate/api/login`);
    expect((await browser.submit(`${page.url}/password`, { email, password })).url).toBe(`${dashboardUrl}/operate/`);
    await giveView(host, accountId, { operator: browser.header(dashboardUrl) });
  }
}

/** A payment of an account that needs a decision. */
async function giveCase(
  { clock, ids, table }: TestService['service']['context'],
  accountId: string,
  orderId: string,
): Promise<string> {
  const finding = { kind: 'wrong-amount', orderId, gateway: 'mercado-pago', paymentId: ids.next(), cents: 1 } as const;
  const caseId = caseIdOf(finding);
  await table.transact([insertCase({ ...finding, caseId, accountId, currency: 'BRL', createdAt: clock.now() })]);
  return caseId;
}

/** The end of a new token. It has a letter, because a number could also be the id of a page. */
async function tokenEnding(host: TestService, accountId: string): Promise<string> {
  const ending = (await host.token(accountId)).token.slice(-8);
  return /[a-f]/.test(ending) ? ending : tokenEnding(host, accountId);
}

/**
 * Texts that each find a row of one kind and nothing else, so that every permission of the search is used on its own.
 */
async function searchTexts(host: TestService, { accountId, token }: TestAccount): Promise<readonly string[]> {
  const { context } = host.service;
  const { connection } = await giveInbox(host, (await host.account({ planId: 'business' })).accountId, 'facebook');
  const { email } = (await context.accounts.find(accountId)) ?? { email: '' };
  const subscribed = (await Array.fromAsync(context.subscriptions.newestFirst(accountId))).find(
    ({ gatewayId }) => gatewayId !== undefined,
  );
  const [orderId, invoiceId, reference] = [await giveOrder(context, accountId), 'in_found', 'reference-to-find'];
  await context.table.put({ Item: { ...invoiceKey(orderId, invoiceId), ...invoiceHandles({ invoiceId }) } });
  // The engine accepts this task, and never reports on it.
  host.engine.play({});
  await host.speak(token, undefined, { 'x-client-reference': reference });
  const caseId = await giveCase(context, accountId, orderId);
  const handles = [email, invoiceId, reference, String(subscribed?.gatewayId), connection.name];
  return [token, caseId, connection.pageId, await tokenEnding(host, accountId), ...handles];
}

/** Calls each operation in a situation in which it uses all of its permissions. */
export async function useTheOperatorsPages(host: TestService, account: TestAccount): Promise<void> {
  await giveSession(host.service.context, account.accountId);
  const { accountId } = account;
  const call = async (operationId: OperateOperationId, given: PageCall = {}) => {
    // Catalogs are cached for half a minute.
    host.clock.advance(60_000);
    const { cookie } = await giveOperator(host.service.context, 'admin');
    return callAsOperator(host.url, operationId, { cookie, ...given });
  };
  for (const text of await searchTexts(host, account)) await call('findAnything', { body: { text } });
  await call('getCustomer', { params: { accountId } });
  await call('listCases', { query: 'status=all' });
  await call('getFigures', { query: 'by=account' });
  for (const queue of messageQueues) await call('listDeadLetters', { params: { queue } });
  await call('listOperatedTasks', { query: 'status=failed' });
  await call('listOperatedTasks', { query: 'stuck=webhook' });
  for (const filter of ['', '&status=completed', '&type=voice', '&type=voice&status=completed']) {
    await call('listOperatedTasks', { query: `account=${accountId}${filter}` });
  }
  for (const operationId of ['endOwnSession', 'endOtherSessions'] as const) {
    const { cookie, session } = await giveOperator(host.service.context, 'admin');
    await giveView(host, accountId, { operator: cookie });
    await call(operationId, { params: { sessionId: session.sessionId } });
  }
  for (const operationId of ['endView', 'logOutOperator'] as const) {
    const { operator: cookie } = await giveView(host, accountId);
    await call(operationId, { cookie });
  }
  for (const { example, operationId } of Object.values<OperateContract>(operateContracts)) {
    const params = example.params ? { params: example.params } : {};
    const body = example.body ? { body: example.body } : {};
    await call(operationId as OperateOperationId, { ...params, ...body });
  }
}
