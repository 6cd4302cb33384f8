/** Operators perform every act on their pages, so that every permission for this is used. */
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import { type ActGroup, actGroups, type OfferedAct } from '../../../shared/contracts/act-groups.ts';
import { messageQueues } from '../../../shared/contracts/message-queues.ts';
import { performers } from '../../../shared/contracts/operate-acts.ts';
import { longestPauseMs } from '../../../shared/domain/generation/circuit.ts';
import { activeTokensKey, orderKey, redemptionKey } from '../../../shared/domain/keys.ts';
import { referenceOf } from '../../../shared/gateways/order-reference.ts';
import { subscriptionScene } from '../../functions/subscription-scene.ts';
import { giveInbox } from '../../support/given-inbox.ts';
import { callAsOperator, giveOperator } from '../../support/given-operator.ts';
import { callPage, giveSession } from '../../support/given-session.ts';
import { giveView } from '../../support/given-view.ts';
import type { TestAccount, TestService } from '../../support/test-service.ts';
import { claimRefund } from './claim-refund.ts';
import { openCircuits } from './open-circuits.ts';

/** Performs an act, and sends it again with the same key. */
type Perform = (act: OfferedAct, input: object, operator?: string) => Promise<number>;

const groupOf = (act: OfferedAct): ActGroup =>
  (Object.keys(actGroups) as ActGroup[]).find((group) => actGroups[group].some((name) => name === act)) ?? 'admin';

const performing =
  ({ clock, service, url }: TestService): Perform =>
  async (act, input, operator = 'ana') => {
    // The clock advances by more than half a minute, so that the cached catalog is read again.
    if (groupOf(act) === 'admin') clock.advance(60_000);
    const { cookie } = await giveOperator(service.context, 'admin', `${operator}@example.com`);
    const headers = { 'idempotency-key': service.context.ids.next() };
    const body = { reason: 'Uses every permission.', input };
    const send = () => callPage(url, performers[groupOf(act)], { params: { act }, body, cookie, headers });
    const [first, repeated] = [await send(), await send()];
    // A rejected act may be performed again, or be found in the log as failed.
    if (first.status === 200) expect([act, repeated.body]).toEqual([act, first.body]);
    return first.status;
  };

/** A grant that needs the approval of a second operator. */
async function request(host: TestService, perform: Perform, account: string): Promise<string> {
  await perform('grantCredits', { account, amount: 20_000, kind: 'bonus' });
  const { cookie } = await giveOperator(host.service.context, 'viewer');
  const { body } = await callAsOperator(host.url, 'listGrantRequests', { cookie });
  return (body.data as { requests: readonly { requestId: string }[] }).requests.at(-1)?.requestId ?? '';
}

async function onAccounts(host: TestService, perform: Perform, { accountId: account }: TestAccount): Promise<void> {
  const { ids } = host.service.context;
  await perform('createAccount', { email: `${ids.next()}@example.com`, name: 'Bia', credits: 10 });
  await perform('inviteOwner', { email: `${ids.next()}@example.com`, account });
  await giveSession(host.service.context, account);
  await giveView(host, account);
  await perform('endOperatorSessions', { operator: 'support@example.com' });
  for (const act of ['seeAsCustomer', 'liftLimits', 'endSessions', 'addNote'] as const) await perform(act, { account });
  await perform('setRetention', { account, resultsDays: null, inputsDays: null });
  await perform('grantCredits', { account, amount: 5, kind: 'bonus' });
  await perform('approveGrant', { request: await request(host, perform, account) }, 'bia');
  await perform('declineGrant', { request: await request(host, perform, account) });
  const { tokenId: token } = await host.token(account, ['generate:audio']);
  const forget = () => host.service.context.table.transact([{ Delete: { Key: activeTokensKey(account) } }]);
  // The account has no row of active tokens, like an account of an earlier version, so that it is created.
  await forget();
  expect(await perform('setTokenCap', { account, token, cap: 100 })).toBe(200);
  await forget();
  expect(await perform('revokeToken', { account, token })).toBe(200);
  await perform('fillTestCredits', { account });
}

async function onTheCatalog(perform: Perform): Promise<void> {
  await perform('setPrice', { type: 'voice', name: 'charactersPerCredit', value: 9 });
  await perform('undoCatalog', { row: 'prices' });
  await perform('resetCatalog', { row: 'prices' });
  for (const state of ['off', 'on']) await perform('switchOperation', { type: 'voice', state });
}

async function onPayments(host: TestService, perform: Perform, account: TestAccount): Promise<void> {
  const { payments, context, subscriptions } = host.service;
  payments.events = 'lost';
  const buy = async () => {
    const headers = { 'idempotency-key': context.ids.next() };
    const body = { packId: 'pack-100' };
    const { body: made } = await host.call('createCreditOrder', { token: account.token, body, headers });
    return (made.data as { id: string }).id;
  };
  const order = await buy();
  const charge = payments.payments().find((one) => one.external_reference === referenceOf(order, 'local'))?.id ?? 0;
  payments.do(charge, 'pay');
  await perform('settleOrder', { order });
  await perform('cancelOrder', { order: await buy() });

  subscriptions.events = 'lost';
  const { change, find, pay, subscribe } = subscriptionScene(host, account);
  const subscription = await subscribe();
  // An order that has lost its redemption of a coupon regains it when it is paid.
  await context.table.update({
    Key: orderKey(subscription),
    UpdateExpression: 'SET couponCode = :code',
    ExpressionAttributeValues: { ':code': 'ONCE' },
  });
  await context.table.update({ Key: redemptionKey('ONCE', account.accountId), UpdateExpression: 'REMOVE orderId' });
  await pay(subscription);
  await perform('settleOrder', { order: subscription });
  expect(await find(subscription)).toMatchObject({ status: 'active' });
  await perform('cancelSubscription', { subscription, when: 'period-end' });
  // The act says that the order is not paid any more, after it has taken back the credits.
  for (const returned of ['refund-part', 'refund'] as const) {
    await change(subscription, returned);
    await perform('settleOrder', { order: subscription });
  }
  const [open] = await context.cases.list({ onlyOpen: true });
  await perform('resolveCase', { case: open?.caseId ?? '' });
}

interface Tasks {
  /** A task that the engine accepts, but never reports on. */
  readonly held: () => Promise<string>;
  readonly webhookDelivered: (taskId: string) => Promise<unknown>;
}

async function onQueues({ service: { context } }: TestService, perform: Perform): Promise<void> {
  const { webhookDeadLettersUrl, paymentDeadLettersUrl, inboxDeadLettersUrl } = context.settings;
  const sqs = new SQSClient({ ...context.settings.aws('SQS') });
  for (const QueueUrl of [webhookDeadLettersUrl, paymentDeadLettersUrl, inboxDeadLettersUrl]) {
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
  }
  sqs.destroy();
  for (const queue of messageQueues) expect(await perform('redriveDeadLetters', { queue })).toBe(200);
}

/** Performs each act in a situation in which it uses all of its permissions. */
export async function useActs(
  host: TestService,
  account: TestAccount,
  { held, webhookDelivered }: Tasks,
): Promise<void> {
  const perform = performing(host);
  await onAccounts(host, perform, account);
  await onTheCatalog(perform);
  await onQueues(host, perform);
  await openCircuits(host.service.context, account.accountId, 'voice');
  host.clock.advance(longestPauseMs);
  const task = await claimRefund(host, account.accountId, await held());
  await perform('failTask', { task });
  await webhookDelivered(task);
  await perform('redeliverWebhook', { task });
  const { accountId } = await host.account({ planId: 'business' });
  await giveInbox(host, accountId, 'instagram');
  for (const act of ['syncConnection', 'removeConnection'] as const) {
    await perform(act, { account: accountId, channel: 'instagram' });
  }
  await onPayments(host, perform, account);
  const { cookie } = await giveOperator(host.service.context, 'viewer');
  for (const query of ['', `account=${account.accountId}`, 'row=prices']) {
    await callAsOperator(host.url, 'listActs', { cookie, query });
  }
}
