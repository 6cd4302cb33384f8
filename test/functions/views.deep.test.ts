/** Operators see an account as its owner does: what a view can read, that it changes nothing, and how it ends. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type DashboardOperationId, dashboardContracts } from '../../shared/contracts/dashboard.ts';
import { operateContracts } from '../../shared/contracts/operate.ts';
import type { OperationContract, RequestContract } from '../../shared/contracts/operation.ts';
import { type OperationId, registry } from '../../shared/contracts/registry.ts';
import { openTestPurse } from '../../shared/domain/accounts/test-purse.ts';
import { accountKey, operatorSessionKey } from '../../shared/domain/keys.ts';
import { endOperatorSession, parseOperatorSession } from '../../shared/domain/operator-sessions/operator-session.ts';
import { actLog } from '../../shared/domain/operators/act-log.ts';
import { performAct } from '../../shared/domain/operators/perform-act.ts';
import { seeAsCustomer } from '../../shared/domain/operators/view-acts.ts';
import { erasedRows } from '../../shared/domain/privacy/rows-of-account.ts';
import { sessionDigest } from '../../shared/domain/sessions/session.ts';
import { sessionStore } from '../../shared/domain/sessions/session-store.ts';
import { testAccountOf } from '../../shared/domain/test-account.ts';
import type { Table } from '../../shared/platform/dynamo-table.ts';
import { callAsOperator, giveOperator } from '../support/given-operator.ts';
import { callAsPage, giveSession, type PageCall } from '../support/given-session.ts';
import { type GivenView, giveView } from '../support/given-view.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { storedItems } from '../support/stored-items.ts';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';

const host = await serviceInTests({ clock: stillClock(), hasIdentity: true });
const { context } = host.service;
const { clock } = host;
const { table } = context;

let account: TestAccount;
let view: GivenView;
beforeEach(async () => {
  account = await host.account({ planId: 'business' });
  view = await giveView(host, account.accountId);
});

type Id = OperationId | DashboardOperationId;
const call = (operationId: Id, request: PageCall = {}) =>
  callAsPage(host.url, operationId, { ...view.request, ...request });
const statusOf = async (operationId: Id, request: PageCall = {}) => (await call(operationId, request)).status;

const shared = Object.values<OperationContract>(registry).filter(({ dashboard }) => dashboard);
const all: readonly RequestContract[] = [...shared, ...Object.values(dashboardContracts)];
const isOpen = ({ isHiddenFromViews, method }: RequestContract) => method === 'GET' && !isHiddenFromViews;
const paramsOf = ({ example }: RequestContract) => (example.params ? { params: example.params } : {});

/** All stored rows but the view's own, which counts its requests, and the sums that reads keep for later ones. */
async function storedBesides(): Promise<unknown> {
  const own = `SESSION#${sessionDigest(view.request.cookie?.slice('view='.length) ?? '')}`;
  const items = await storedItems(host.service.environment);
  expect(items.delete(`${own} SESSION`)).toBe(true);
  return new Map([...items].filter(([key]) => !key.startsWith('USAGE#')));
}

test('what operators see as the owner does is the dashboard without the inbox and the archive', () => {
  const reads = all.filter(({ method }) => method === 'GET');
  expect(reads.filter((contract) => !isOpen(contract)).map(({ operationId }) => operationId)).toEqual([
    'listConversations',
    'listMessages',
    'listCommentedPosts',
    'listComments',
    'getExport',
  ]);
});

describe('a view', () => {
  test.each(all.filter(isOpen))('can call $operationId, which changes nothing', async (contract) => {
    const before = await storedBesides();
    const { body, status } = await call(contract.operationId as Id, paramsOf(contract));
    expect([status, body.error?.code]).toEqual(contract.params ? [404, 'NOT_FOUND'] : [200, undefined]);
    expect(await storedBesides()).toEqual(before);
  });

  test.each(shared.filter(isOpen))('changes nothing by $operationId in test mode either', async (contract) => {
    const Key = accountKey(testAccountOf(account.accountId));
    await openTestPurse(context, account.accountId, clock.now());
    // The daily credits are due.
    const UpdateExpression = 'SET balance = :left, filledAt = :before';
    await table.update({ Key, UpdateExpression, ExpressionAttributeValues: { ':left': 3, ':before': 0 } });
    const before = await storedBesides();
    const headers = { ...view.request.headers, 'x-test-mode': 'true' };
    const { body } = await call(contract.operationId as Id, { ...paramsOf(contract), headers });
    if (contract.operationId === 'listCreditHistory') expect(body.data).toMatchObject({ balance: 3 });
    expect(await storedBesides()).toEqual(before);
  });

  test.each(all.filter((contract) => !isOpen(contract)))(
    'cannot call $operationId, and changes nothing',
    async (contract) => {
      const before = await storedBesides();
      const { body } = contract.example;
      const refused = await call(contract.operationId as Id, { ...paramsOf(contract), ...(body && { body }) });
      expect([refused.status, refused.body.error?.code]).toEqual([403, 'FORBIDDEN']);
      expect(refused.body.error?.message).toMatch(/^(You see the account as its owner does|Operators do not see)/);
      expect(await storedBesides()).toEqual(before);
    },
  );

  test.each(['/account/api/connections/instagram/start', '/account/api/confirm'])(
    'does not begin at a provider what %s begins for an owner',
    async (path) => {
      const before = await storedBesides();
      const { cookie = '', headers } = view.request;
      const sent = { ...headers, cookie, 'sec-fetch-site': 'same-origin' };
      const { headers: got } = await fetch(`${host.url}${path}`, { headers: sent, redirect: 'manual' });
      expect(got.get('location')).toMatch(/^[^?]+\/account\/[^?]*\?(.*&)?(problem|outcome)=/);
      expect(await storedBesides()).toEqual(before);
    },
  );

  test('shows the owner’s account, and states that an operator is viewing it', async () => {
    const { body } = await call('getSession');
    const expiresAt = new Date(clock.now() + 15 * 60_000).toISOString();
    expect(body.data).toMatchObject({ accountId: account.accountId, isView: true, expiresAt, confirmedUntil: null });
  });

  test('reads the owner’s test account in test mode', async () => {
    const headers = { ...view.request.headers, 'x-test-mode': 'true' };
    expect(await statusOf('listTasks', { headers })).toBe(200);
  });

  test('keeps its cookie away from scripts, other sites and pages', () => {
    expect(view.attributes).toBe('Path=/account/api; Max-Age=900; HttpOnly; SameSite=Strict');
  });

  test('is neither used without its name, nor as a session of the owner or of an operator', async () => {
    const { cookie = '', headers } = view.request;
    const owner = await giveSession(context, account.accountId);
    const other = await giveView(host, (await host.account()).accountId);
    const senders: readonly PageCall[] = [
      { headers: {} },
      { headers: {}, cookie: cookie.replace('view=', 'session=') },
      { cookie: cookie.replace('view=', 'session=') },
      { cookie: owner.cookie },
      { cookie: owner.cookie.replace('session=', 'view=') },
      { cookie: owner.cookie.replace('session=', 'view='), headers: { 'x-view': owner.session.sessionId } },
      { cookie: other.request.cookie ?? '' },
      { headers: { 'x-view': other.viewId } },
      { cookie: view.operator },
    ];
    for (const sender of senders) expect([sender, await statusOf('getProfile', sender)]).toEqual([sender, 401]);
    for (const name of ['operator=', 'view=']) {
      const sent = { cookie: cookie.replace('view=', name), ...(headers && { headers }) };
      expect((await callAsOperator(host.url, 'getOperator', sent)).status).toBe(401);
    }
    const { body } = await callAsPage(host.url, 'getProfile', other.request);
    expect(JSON.stringify(body)).not.toContain(account.accountId);
  });

  test('is no session of the owner, ends none, and uses up none of their places', async () => {
    const owner = await giveSession(context, account.accountId);
    await giveView(host, account.accountId);
    await call('listSessions');
    const listed = await sessionStore(table).list(account.accountId, clock.now());
    expect(listed.map(({ lastSeenAt, sessionId }) => [sessionId, lastSeenAt])).toEqual([
      [owner.session.sessionId, owner.session.createdAt],
    ]);
    expect((await callAsPage(host.url, 'getSession', { cookie: owner.cookie })).body.data).toMatchObject({
      isView: false,
    });
    expect((await callAsOperator(host.url, 'getOperator', { cookie: view.operator })).status).toBe(200);
  });
});

describe('an operator’s view of an owner’s dashboard', () => {
  test('begins with an entry in the log of acts that has the reason, and whose id is the view’s', async () => {
    const [entry] = await actLog(table).of(`account/${account.accountId}`, { limit: 1 });
    expect(entry).toMatchObject({
      actId: view.viewId,
      act: 'seeAsCustomer',
      operatorName: 'support@example.com',
      reason: 'The customer sees no invoice.',
      requestId: view.response.headers['x-request-id'],
      state: 'done',
      after: { access: 'read-only', until: new Date(clock.now() + 15 * 60_000).toISOString() },
    });
    expect(JSON.stringify(view.response.body)).not.toContain(view.request.cookie?.slice('view='.length));
  });

  test('cannot be started by a viewer, nor of an account that is closed or missing', async () => {
    const closed = await host.account();
    await table.update({
      Key: accountKey(closed.accountId),
      UpdateExpression: 'SET closing = :closing',
      ExpressionAttributeValues: { ':closing': { at: clock.now(), eraseAt: clock.now() + 1, isByOwner: true } },
    });
    const begun = [
      await giveView(host, account.accountId, { role: 'viewer' }),
      await giveView(host, closed.accountId),
      await giveView(host, context.ids.next()),
    ];
    expect(begun.map(({ response }) => [response.status, response.cookies])).toEqual([
      [403, []],
      [403, []],
      [404, []],
    ]);
  });

  test('not in an operator’s session that ends meanwhile; the log says that it failed', async () => {
    const { session } = await giveOperator(context, 'support', 'late@example.com');
    const { accountId } = await host.account();
    const digest = sessionDigest('0'.repeat(64));
    const given: string[] = [];
    const viewing = { session, digest, give: (secret: string) => void given.push(secret) };
    const operator = { id: session.operatorId, name: session.email, role: session.role };
    const act = performAct({ ...context, viewing }, seeAsCustomer, {
      operator,
      reason: 'Tried by a test.',
      input: { account: accountId },
    });
    await expect(act).rejects.toMatchObject({ kind: 'in-progress' });
    expect(given).toEqual([]);
    const [entry] = await actLog(table).of(`account/${accountId}`, { limit: 1 });
    expect(entry).toMatchObject({ state: 'failed', code: 'in-progress', reason: 'Tried by a test.' });
  });

  test('only after the earlier one has ended: if that fails, nothing has changed', async () => {
    const digest = sessionDigest(view.operator.slice('operator='.length));
    const session = parseOperatorSession((await table.get(operatorSessionKey(digest))) ?? {});
    const losing: Table = { ...table, update: () => Promise.reject(new Error('the connection was lost')) };
    const viewing = { session, digest, give: () => expect.unreachable() };
    const operator = { id: session.operatorId, name: session.email, role: session.role };
    const input = { account: account.accountId };
    const act = performAct({ ...context, table: losing, viewing }, seeAsCustomer, {
      operator,
      reason: 'Again.',
      input,
    });
    await expect(act).rejects.toThrow('lost');
    expect(parseOperatorSession((await table.get(operatorSessionKey(digest))) ?? {})).toEqual(session);
    expect((await callAsOperator(host.url, 'endView', { cookie: view.operator })).body.data).toEqual({ hadView: true });
    expect(await statusOf('getSession')).toBe(401);
  });
});

describe('a view ends', () => {
  test('after 15 minutes, although it is in use', async () => {
    clock.advance(15 * 60_000 - 1);
    expect(await statusOf('getSession')).toBe(200);
    clock.advance(1);
    expect(await statusOf('getSession')).toBe(401);
    expect((await callAsOperator(host.url, 'getOperator', { cookie: view.operator })).status).toBe(200);
  });

  test('with the eight hours of the operator’s session', async () => {
    for (let minutes = 0; minutes < 475; minutes += 25) {
      clock.advance(25 * 60_000);
      await callAsOperator(host.url, 'getOperator', { cookie: view.operator });
    }
    view = await giveView(host, account.accountId, { operator: view.operator });
    const { body } = await call('getSession');
    expect(body.data).toMatchObject({ expiresAt: new Date(clock.now() + 5 * 60_000).toISOString() });
  });

  test.each([
    ['the operator ends it', () => callAsOperator(host.url, 'endView', { cookie: view.operator })],
    ['the operator logs out', () => callAsOperator(host.url, 'logOutOperator', { cookie: view.operator })],
    ['another view begins', () => giveView(host, account.accountId, { operator: view.operator })],
    ['the account’s sessions are ended', () => sessionStore(table).endAll(account.accountId, clock.now())],
  ])('when %s', async (_, end) => {
    expect(await statusOf('getSession')).toBe(200);
    await end();
    expect(await statusOf('getSession')).toBe(401);
  });

  test('when the operator’s session is ended again after the write that ended the view was lost', async () => {
    const digest = sessionDigest(view.operator.slice('operator='.length));
    let writes = 0;
    const losing: Table = {
      ...table,
      update(input) {
        writes += 1;
        if (writes === 2) throw new Error('the connection was lost');
        return table.update(input);
      },
    };
    await expect(endOperatorSession(losing, digest, clock.now())).rejects.toThrow('lost');
    expect(await statusOf('getSession')).toBe(200);
    await endOperatorSession(table, digest, clock.now());
    expect(await statusOf('getSession')).toBe(401);
  });
});

test('the erasure of an account finds its views', async () => {
  const digest = sessionDigest(view.request.cookie?.slice('view='.length) ?? '');
  const found = await erasedRows.session(table, { accountId: account.accountId, email: '' });
  expect(found).toContainEqual({ pk: `SESSION#${digest}`, sk: 'SESSION' });
});

test('ending a view does not end the operator’s session, and says whether there was one', async () => {
  const end = async () => (await callAsOperator(host.url, 'endView', { cookie: view.operator })).body.data;
  expect([await end(), await end()]).toEqual([{ hadView: true }, { hadView: false }]);
  expect(operateContracts.endView.operator).toBe('viewer');
});
