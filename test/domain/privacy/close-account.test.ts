/** Closed accounts: what stops at once, what can be undone for a week, and what is left after the erasure. */
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { closedAccountDays } from '../../../shared/contracts/limits.ts';
import type { PackOrder } from '../../../shared/domain/billing/orders/order.ts';
import { subscriptionKey } from '../../../shared/domain/keys.ts';
import { closeAccount, endWeek, reopenAccount } from '../../../shared/domain/privacy/closing.ts';
import { advanceClosure } from '../../../shared/domain/privacy/erase-account.ts';
import { kindOfRow, rowKinds } from '../../../shared/domain/privacy/register.ts';
import { advanceClosures } from '../../../shared/domain/privacy/run-closures.ts';
import { invite } from '../../../shared/domain/sessions/invitation.ts';
import { accountOf } from '../../../shared/domain/sessions/sign-up.ts';
import { issueToken } from '../../../shared/domain/tokens/issue-token.ts';
import { webhookSecretsOf } from '../../../shared/platform/webhook-secrets.ts';
import { closureNeeds } from '../../support/closure-needs.ts';
import { eventually } from '../../support/eventually.ts';
import { fakeSubscriptionGateway } from '../../support/fake-subscription-gateway.ts';
import { giveFullAccount } from '../../support/given-full-account.ts';
import { giveOrder } from '../../support/given-order.ts';
import { callAsPage, giveSession } from '../../support/given-session.ts';
import { giveSubscription } from '../../support/given-subscription.ts';
import { storedItems } from '../../support/stored-items.ts';
import { storedKeys } from '../../support/stored-keys.ts';
import { serviceInTests } from '../../support/test-service.ts';

const host = await serviceInTests({ hasIdentity: true });
const { context } = host.service;
const { clock, ids, table } = context;

const needs = closureNeeds(context);

const dayMs = 24 * 3_600_000;

/** Lets time pass until closures have done everything that they do within it. */
async function passDays(days: number): Promise<void> {
  host.clock.advance(days * dayMs);
  await advanceClosures(needs);
}

/** The rows that have not expired, as the service would read them. */
async function liveRows() {
  const rows = [...(await storedItems(host.service.environment)).values()].map((item) => unmarshall(item));
  return rows.filter(({ expiresAt }) => expiresAt === undefined || Number(expiresAt) * 1000 > clock.now());
}

const text = (row: object): string =>
  JSON.stringify(row, (_, value) =>
    value instanceof Set ? [...value] : value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );

const mentioning = async (word: string) => (await liveRows()).filter((row) => text(row).includes(word));

const spoken = (canary: string) => ({
  text: `${canary}.`,
  voice: 'sarah',
  callbackUrl: `${host.receiver.url}/${canary}`,
});

test('a closed account’s tokens and sessions stop at once, its open tasks are refunded, and it can be reopened for a week', async () => {
  const { accountId, token } = await host.account({ credits: 50 });
  const { cookie } = await giveSession(context, accountId);
  host.engine.play({});
  const taskId = await host.speak(token);
  expect(await closeAccount(context, accountId)).toBe(true);
  expect((await host.call('getProfile', { token })).status).toBe(401);
  expect((await callAsPage(host.url, 'getSession', { cookie })).status).toBe(401);
  expect(await context.tasks.find(taskId)).toBeDefined();
  await advanceClosures(needs);
  const canceled = { status: 'failed', errorCode: 'CANCELED', canceledBy: 'closing' };
  expect(await context.tasks.find(taskId)).toMatchObject(canceled);
  expect(await context.accounts.find(accountId)).toMatchObject({ balance: 50, openTasks: [] });
  const issuing = { ...context, webhookSecrets: webhookSecretsOf(context) };
  const another = issueToken(issuing, { accountId, name: 'another', scopes: ['read:tasks'] });
  await expect(another).rejects.toMatchObject({ kind: 'forbidden' });
  expect(await closeAccount(context, accountId)).toBe(false);
  await passDays(closedAccountDays - 1);
  expect(await reopenAccount(context, accountId)).toBe(true);
  await passDays(2);
  expect(await context.accounts.find(accountId)).toMatchObject({ name: 'Test', balance: 50 });
  const fresh = await host.token(accountId);
  expect((await host.call('getProfile', { token: fresh.token })).status).toBe(200);
});

test('the unpaid orders and the subscriptions of a closed account are canceled, and it cannot order anything', async () => {
  const { accountId } = await host.account();
  const { cookie } = await giveSession(context, accountId);
  const body = { packId: 'pack-500' };
  const ordered = await callAsPage(host.url, 'createCreditOrder', { cookie, body });
  expect([ordered.status, ordered.body.error]).toEqual([201, undefined]);
  const orders = () => context.orders.list(accountId, {}, { limit: 10, offset: 0 });
  const [order] = await orders();
  const gateway = fakeSubscriptionGateway(clock);
  const paying = { ...needs, subscriptionGateway: gateway.seen() };
  const subscriptionId = await giveSubscription(context, paying.subscriptionGateway, accountId);
  await closeAccount(context, accountId);
  await advanceClosure(paying, accountId, Number.MAX_SAFE_INTEGER);
  expect((await orders()).map(({ status }) => status)).toEqual(['expired', 'canceled']);
  expect(await needs.pixGateway.read((order as PackOrder).chargeId)).toMatchObject({ status: 'canceled' });
  expect(await context.subscriptions.find(accountId, subscriptionId)).toMatchObject({ status: 'abandoned' });
  const late = await giveSession(context, accountId);
  const again = await callAsPage(host.url, 'createCreditOrder', { cookie: late.cookie, body });
  expect([again.status, again.body]).toMatchObject([403, { error: { message: 'The account is closed.' } }]);
});

test('an account that is reopened while it is being closed keeps the orders that are not yet canceled', async () => {
  const { accountId } = await host.account();
  // The subscription belongs to a gateway that the stage no longer uses, so canceling it changes only its row.
  const orderId = await giveOrder(context, accountId, { gateway: 'former' });
  await closeAccount(context, accountId);
  const findPack = async (id: string) => {
    await reopenAccount(context, accountId);
    return context.orders.findPack(id);
  };
  await advanceClosure({ ...needs, orders: { ...context.orders, findPack } }, accountId, Number.MAX_SAFE_INTEGER);
  expect(await context.orders.findPack(orderId)).toMatchObject({ status: 'pending' });
});

test('an account that an operator erases while it is being closed does not wait for the end of its week', async () => {
  const { accountId } = await host.account();
  await giveOrder(context, accountId, { gateway: 'former' });
  await closeAccount(context, accountId);
  const findPack = async (id: string) => {
    await endWeek(context, accountId);
    return context.orders.findPack(id);
  };
  await advanceClosure({ ...needs, orders: { ...context.orders, findPack } }, accountId, Number.MAX_SAFE_INTEGER);
  await passDays(0);
  expect(await context.accounts.find(accountId)).toMatchObject({ name: '' });
});

test('a subscription that its gateway does not know does not stop the erasure of its account', async () => {
  const { accountId } = await host.account();
  const given = fakeSubscriptionGateway(clock).seen();
  await giveSubscription(context, given, accountId);
  await closeAccount(context, accountId);
  await endWeek(context, accountId);
  const forgetful = { ...given, read: async () => undefined };
  for (const subscriptionGateway of [forgetful, needs.subscriptionGateway]) {
    await advanceClosure({ ...needs, subscriptionGateway }, accountId, Number.MAX_SAFE_INTEGER);
    expect(await context.accounts.find(accountId)).toMatchObject({ name: '' });
  }
});

test('a subscription that cannot be read stops the erasure of its account, because it may still be charged', async () => {
  const { accountId } = await host.account();
  const subscriptionId = await giveSubscription(context, fakeSubscriptionGateway(clock).seen(), accountId);
  const Key = subscriptionKey(accountId, subscriptionId);
  const spoil = (value: unknown) =>
    table.update({ Key, UpdateExpression: 'SET cents = :value', ExpressionAttributeValues: { ':value': value } });
  await spoil('free');
  await closeAccount(context, accountId);
  await endWeek(context, accountId);
  await expect(advanceClosure(needs, accountId, Number.MAX_SAFE_INTEGER)).rejects.toThrow();
  expect(await context.accounts.find(accountId)).toMatchObject({ name: 'Test' });
  await spoil(14_990);
  await advanceClosure(needs, accountId, Number.MAX_SAFE_INTEGER);
  expect(await context.accounts.find(accountId)).toMatchObject({ name: '' });
});

test('an erasure leaves no row or object that an account entrusted to the service, and its ledger still adds up', async () => {
  const canary = `canary${ids.secret(8)}`;
  const other = await host.account();
  const made = await giveFullAccount(host, canary);
  const { accountId, fileId, identified, token } = made;
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  const reference = { 'x-client-reference': canary };
  const [taskId, kept] = await Promise.all([
    host.speak(token, spoken(canary), reference),
    host.speak(other.token, { text: 'Outra frase.', voice: 'sarah' }),
  ]);
  await Promise.all([host.ended(token, taskId), host.ended(other.token, kept)]);
  await eventually('the delivery', async () =>
    (await context.tasks.find(taskId))?.webhookStatus === 'delivered' ? true : undefined,
  );
  const before = new Set((await mentioning(canary)).map((row) => String(kindOfRow(row))));
  expect([...before].toSorted()).toEqual(['account', 'avatar', 'identity', 'product', 'session', 'task', 'token']);
  const objects = await storedKeys(host.service.environment.AWS_ENDPOINT_URL_S3, taskId);
  expect(objects.length).toBeGreaterThan(0);

  await closeAccount(context, accountId);
  await passDays(0);
  await passDays(closedAccountDays);
  expect(await reopenAccount(context, accountId)).toBe(false);
  await eventually('the erasure', async () => {
    host.clock.advance(61_000);
    await host.service.invoke('scheduleInboxSyncs', {});
    await advanceClosures(needs);
    return (await context.accounts.find(accountId))?.erasedAt;
  });
  await passDays(1);
  await passDays(1);

  expect(host.service.identity?.users.findByName(identified.username)).toBeUndefined();
  expect((await mentioning(canary)).map(({ pk, sk }) => `${pk} ${sk}`)).toEqual([]);
  const left = [...(await mentioning(accountId)), ...(await mentioning(fileId))];
  const wrong = left.filter((row) => rowKinds[kindOfRow(row) ?? 'catalog'].erasure === 'erased');
  // The ids, times and amounts of tasks remain for 30 days.
  expect([...new Set(wrong.map(kindOfRow))]).toEqual(['task']);
  for (const id of [taskId, fileId])
    expect(await storedKeys(host.service.environment.AWS_ENDPOINT_URL_S3, id)).toEqual([]);
  expect(await context.accounts.find(accountId)).toMatchObject({ name: '', email: '', openTasks: [] });
  expect(await host.standing(accountId)).toMatchObject({ tasks: 0 });
  expect(await host.task(other.token, kept)).toMatchObject({ status: 'completed' });
  await host.audit();

  // The person can sign up again, with an account of their own that gets no second bonus.
  await invite(context, identified.email, { replaces: true });
  const again = await accountOf(context, identified, { signUp: 'invitation', credits: 100 });
  expect(again).toEqual({ accountId: expect.not.stringMatching(accountId) });
});
