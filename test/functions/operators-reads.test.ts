/** What operators see of customers and tasks, and that account owners and visitors do not see it. */
import { expect, test } from 'vitest';
import { cancelsPerDay } from '../../shared/contracts/limits.ts';
import type { OperateOperationId } from '../../shared/contracts/operate.ts';
import { caseIdOf } from '../../shared/domain/billing/cases/billing-case.ts';
import { insertCase } from '../../shared/domain/billing/cases/case-store.ts';
import { insertSubscription } from '../../shared/domain/billing/subscriptions/subscription-store.ts';
import { accountKey, caseKey, taskKey } from '../../shared/domain/keys.ts';
import { ownerEmails } from '../../shared/domain/operator-reads/owner-emails.ts';
import { testAccountOf } from '../../shared/domain/test-account.ts';
import { dayMs, midnightBefore, timestamp } from '../../shared/platform/clock.ts';
import { eventually } from '../support/eventually.ts';
import { giveInbox } from '../support/given-inbox.ts';
import { callAsOperator, giveOperator } from '../support/given-operator.ts';
import { giveOrder } from '../support/given-order.ts';
import type { PageCall } from '../support/given-session.ts';
import { callAsPage, giveSession } from '../support/given-session.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests({ clock: stillClock(), hasIdentity: true });
const { cookie } = await giveOperator(host.service.context, 'viewer');

async function read<Data = Record<string, never>>(operationId: OperateOperationId, call: PageCall = {}): Promise<Data> {
  const response = await callAsOperator(host.url, operationId, { cookie, ...call });
  expect([operationId, response.status, response.body.error]).toEqual([operationId, 200, undefined]);
  return response.body.data as Data;
}

/** A customer with an object of every kind, and the id that the engine has for the job of their task. */
async function customer() {
  const account = await host.account({ planId: 'business' });
  const { accountId, token } = account;
  const session = await giveSession(host.service.context, accountId);
  await giveInbox(host, accountId, 'facebook');
  const orderId = await giveOrder(host.service.context, accountId, { chargeId: 'charge-at-the-gateway' });
  const taskId = await host.speak(token, { text: 'Oi.', voice: 'bill', callbackUrl: host.receiver.url });
  const job = await host.engine.jobOf(taskId);
  const reference = await eventually('the engine’s reference', async () => {
    const [stored] = await host.service.context.engineJobs.list(taskId);
    return stored?.reference;
  });
  return { ...account, session, orderId, taskId, job, reference };
}

test('an operator’s page of a customer shows everything that belongs to the account, and no secret', async () => {
  const { accountId, orderId, session, taskId, token } = await customer();
  const page = await read<Record<string, readonly Record<string, unknown>[]>>('getCustomer', { params: { accountId } });
  expect(page.account).toMatchObject({ accountId, openTasks: 1, openTaskIds: [taskId], plan: 'business' });
  expect(page.tasks).toMatchObject([{ id: taskId, accountId, status: 'processing', engineCostMicros: null }]);
  expect(page.orders).toMatchObject([{ id: orderId, gatewayReference: 'charge-at-the-gateway' }]);
  expect(page.history?.[0]).toMatchObject({ reason: 'generation', toolId: 'voice' });
  expect(page.tokens).toMatchObject([{ status: 'active' }]);
  expect(page.sessions).toMatchObject([{ sessionId: session.session.sessionId }]);
  expect(page.pages).toMatchObject([{ channel: 'facebook', state: 'connected' }]);
  const text = JSON.stringify(page);
  const { sealedToken = '' } =
    (await host.service.context.table.get({ pk: `CONNECTIONS#${accountId}`, sk: 'facebook' })) ?? {};
  for (const secret of [token, session.digest, session.cookie.slice('session='.length), String(sealedToken)]) {
    expect(secret.length).toBeGreaterThan(8);
    expect(text).not.toContain(secret);
  }
});

test('an operator’s page of a customer says whether the subscription renews, and until when cancels are rejected', async () => {
  const { clock, ids, table } = host.service.context;
  const { accountId } = await host.account();
  const subscriptionId = ids.next();
  const [now, currentPeriodEnd] = [clock.now(), clock.now() + 10 * dayMs];
  const page = async (changes: Readonly<Record<string, unknown>>, isEnding: boolean) => {
    const given = { subscriptionId, accountId, version: 0, status: 'active', planId: 'pro', planName: 'Pro' } as const;
    const { Put } = insertSubscription({
      ...given,
      billingCycle: 'monthly',
      creditsPerMonth: 2000,
      features: [],
      cents: 14_990,
      gateway: 'stripe',
      checkoutId: 'checkout',
      gatewayId: `sub_${subscriptionId}`,
      payableUntil: now,
      createdAt: now,
      currentPeriodStart: now,
      currentPeriodEnd,
      isEnding,
    });
    await table.put({ Item: Put?.Item ?? {} });
    const names = Object.keys(changes);
    await table.update({
      Key: accountKey(accountId),
      UpdateExpression: `SET ${names.map((name) => `${name} = :${name}`).join(', ')}`,
      ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, changes[name]])),
    });
    return read('getCustomer', { params: { accountId } });
  };
  const counted = (count: number) => ({ cancels: { day: midnightBefore(now), count } });
  const activeSubscription = subscriptionId;
  expect(await page({ activeSubscription, ...counted(cancelsPerDay - 1) }, false)).toMatchObject({
    subscription: { id: subscriptionId, isEnding: false, currentPeriodEnd: timestamp(currentPeriodEnd) },
    account: { canceledToday: cancelsPerDay - 1, cancelsRejectedUntil: null },
  });
  const found = () => read('findAnything', { body: { text: `sub_${subscriptionId}` } });
  const day = timestamp(currentPeriodEnd).slice(0, 10);
  expect(await found()).toMatchObject({ found: [{ about: `pro, monthly, stripe, renews on ${day}` }] });
  expect(await page(counted(cancelsPerDay), true)).toMatchObject({
    subscription: { isEnding: true },
    account: { canceledToday: cancelsPerDay, cancelsRejectedUntil: timestamp(midnightBefore(now) + dayMs) },
  });
  expect(await found()).toMatchObject({ found: [{ about: `pro, monthly, stripe, ends on ${day}` }] });
});

test('operators see which token canceled a task, or that its owner did, and its account does not', async () => {
  const { session, token, tokenId } = await customer();
  const params = async () => ({ taskId: await host.speak(token) });
  const [first, second] = [await params(), await params()];
  const shown = [
    await host.call('cancelTask', { token, params: first }),
    await callAsPage(host.url, 'cancelTask', { params: second, cookie: session.cookie }),
  ];
  for (const { body } of shown) expect(body.data).not.toHaveProperty('canceledBy');
  expect(await read('inspectTask', { params: first })).toMatchObject({ task: { canceledBy: tokenId } });
  expect(await read('inspectTask', { params: second })).toMatchObject({ task: { canceledBy: 'owner' } });
});

test('only operators see the engine’s reference and charge of a task', async () => {
  const { accountId, job, orderId, reference, session, taskId, token } = await customer();
  expect(reference.length).toBeGreaterThan(4);
  const open = await read<Record<string, unknown>>('inspectTask', { params: { taskId } });
  const { deadlineAt: storedDeadline = 0 } = (await host.service.context.tasks.find(taskId)) ?? {};
  expect(open).toMatchObject({
    task: { id: taskId, accountId, engine: 'offline', deadlineAt: timestamp(storedDeadline) },
    jobs: [{ name: 'make', reference }],
  });
  await host.engine.callBack(job, host.engine.done(job));
  await host.ended(token, taskId);
  await host.service.context.table.update({
    Key: taskKey(taskId),
    UpdateExpression: 'SET engineCost = :cost',
    ExpressionAttributeValues: { ':cost': 7_654_321 },
  });
  const ended = await read('inspectTask', { params: { taskId } });
  expect(ended).toMatchObject({ task: { engineCostMicros: 7_654_321, deadlineAt: null } });
  const underToken = [
    await host.call('getTask', { token, params: { taskId } }),
    await host.call('listTasks', { token }),
    await host.call('listTaskEvents', { token, params: { taskId } }),
    await host.call('getOrder', { token, params: { orderId } }),
    await host.call('getUsage', { token }),
  ];
  const underSession = [
    await callAsPage(host.url, 'getTask', { cookie: session.cookie, params: { taskId } }),
    await callAsPage(host.url, 'listTasks', { cookie: session.cookie }),
    await callAsPage(host.url, 'listOrders', { cookie: session.cookie }),
    await callAsPage(host.url, 'listDeliveries', { cookie: session.cookie }),
  ];
  for (const { status, text } of [...underToken, ...underSession]) {
    expect(status).toBe(200);
    expect(text).not.toContain(reference);
    expect(text).not.toContain('7654321');
    expect(text).not.toContain('charge-at-the-gateway');
    expect(text).not.toMatch(/micros|"engine\w*":|"route"/i);
  }
});

test('the search finds a customer by their e-mail address, and a task by its id', async () => {
  const { accountId, taskId } = await customer();
  const { email } = (await host.service.context.accounts.find(accountId)) ?? { email: '' };
  const byAddress = await read('findAnything', { body: { text: email } });
  expect(byAddress).toMatchObject({ found: expect.arrayContaining([expect.objectContaining({ id: accountId })]) });
  expect(await read('findAnything', { body: { text: taskId } })).toMatchObject({
    found: [{ kind: 'task', id: taskId, accountId, email }],
    hasMore: false,
  });
});

test('operators find open tasks of all accounts by engine and age, and failed ones by account, day and error', async () => {
  const { accountId, taskId, token } = await customer();
  const ids = async (query: string) =>
    (await read<{ tasks: readonly { id: string }[] }>('listOperatedTasks', { query })).tasks.map(({ id }) => id);
  expect(await ids('engine=offline&limit=100')).toContain(taskId);
  expect(await ids('minutes=5&limit=100')).not.toContain(taskId);
  host.clock.advance(5 * 60_000);
  expect(await ids('minutes=5&limit=100')).toContain(taskId);
  expect(await ids('engine=fal')).toEqual([]);
  await host.call('cancelTask', { token, params: { taskId } });
  expect(await ids('limit=100')).not.toContain(taskId);
  expect(await ids(`account=${accountId}&error=CANCELED`)).toEqual([taskId]);
  expect(await ids(`account=${accountId}&error=PROVIDER_ERROR`)).toEqual([]);
  for (const query of ['status=failed', 'error=CANCELED']) expect(await ids(`${query}&limit=100`)).toContain(taskId);
  expect(await ids('status=failed&day=2020-01-01')).toEqual([]);
  expect(await ids('error=PROVIDER_ERROR')).toEqual([]);
});

test('tasks, cases and figures are listed with the e-mail addresses of owners, also of test accounts, and cases with the price', async () => {
  const { clock, ids, table } = host.service.context;
  const { accountId, orderId, taskId, token } = await customer();
  const email = `${accountId}@example.com`;
  await table.update({
    Key: accountKey(accountId),
    UpdateExpression: 'SET email = :email',
    ExpressionAttributeValues: { ':email': email },
  });
  await host.call('cancelTask', { token, params: { taskId } });
  const finding = { kind: 'wrong-amount', orderId, gateway: 'fake', paymentId: '7', cents: 1 } as const;
  const caseId = caseIdOf(finding);
  await table.transact([insertCase({ ...finding, caseId, accountId, currency: 'BRL', createdAt: clock.now() })]);
  const tasks = await read('listOperatedTasks', { query: `account=${accountId}` });
  expect(tasks).toMatchObject({ tasks: [{ id: taskId, email }] });
  expect(await read('listCases')).toMatchObject({ cases: [{ caseId, email, amount: 0.01, orderAmount: 59.9 }] });
  await table.transact([{ Delete: { Key: caseKey(caseId) } }]);
  const { rows } = await read<{ rows: readonly object[] }>('getFigures', { query: 'by=account' });
  expect(rows).toContainEqual(expect.objectContaining({ name: accountId, email, failures: { CANCELED: 1 } }));
  const asked = [accountId, testAccountOf(accountId), ids.next(), null];
  expect(asked.map(await ownerEmails(table, asked))).toEqual([email, email, null, null]);
});

test('the list of customers starts with the newest and continues on the next page', async () => {
  const older = await host.account();
  host.clock.advance(1000);
  const newer = await host.account();
  const page = (query: string) => read<{ customers: readonly { accountId: string }[] }>('listCustomers', { query });
  const [first, second] = [await page('limit=1'), await page('limit=1&offset=1')];
  expect([first, second].map(({ customers }) => customers[0]?.accountId)).toEqual([newer.accountId, older.accountId]);
});

test('operators can read the figures of today, what needs attention, the billing cases and the catalog', async () => {
  await customer();
  expect(await read('getFigures', { query: 'by=account' })).toMatchObject({ by: 'account', totals: {} });
  expect(await read('getAttention')).toMatchObject({ circuits: [], openCases: 0, switchedOff: [] });
  expect(await read('listCases')).toEqual({ cases: [] });
  const { rows } = await read<{ rows: readonly { row: string; members: object }[] }>('getCatalog');
  expect(rows.find(({ row }) => row === 'packs')?.members).toHaveProperty('creditPacks');
});
