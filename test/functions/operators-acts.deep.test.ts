/**
 * Acts over HTTP: who may perform them, and that each is previewed, performed once, and recorded in the log however it
 * ends.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { type ActGroup, actGroups, type OfferedAct } from '../../shared/contracts/act-groups.ts';
import { performers } from '../../shared/contracts/operate-acts.ts';
import { operatorRoles } from '../../shared/contracts/operator-roles.ts';
import { pricesRow } from '../../shared/domain/catalog/prices-row.ts';
import type { AnyAct } from '../../shared/domain/operators/act.ts';
import { type ActEntry, actLog } from '../../shared/domain/operators/act-log.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { closeAccount } from '../../shared/domain/privacy/closing.ts';
import { stores } from '../../shared/domain/stores.ts';
import type { Table } from '../../shared/platform/dynamo-table.ts';
import { callAsOperator, giveOperator } from '../support/given-operator.ts';
import { callPage, giveSession, type PageCall } from '../support/given-session.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';

const host = await serviceInTests({ clock: stillClock(), hasIdentity: true });
const { context } = host.service;
const log = actLog(context.table);

let account: TestAccount;
beforeEach(async () => {
  account = await host.account();
  host.clock.advance(60_000);
});

const groups = Object.keys(actGroups) as ActGroup[];
const offered = groups.flatMap((group) => actGroups[group].map((name): [ActGroup, OfferedAct] => [group, name]));
const table: Readonly<Record<string, AnyAct>> = acts;

const groupOf = (act: OfferedAct): ActGroup => offered.find(([, name]) => name === act)?.[0] ?? 'admin';

/** Requests an act with a new idempotency key, like a page of the operators. */
const send = (
  act: string,
  input: object,
  { headers = {}, group = 'admin', ...call }: PageCall & { group?: ActGroup },
) =>
  callPage(host.url, performers[group], {
    params: { act },
    body: { reason: 'Tried by a test.', input },
    ...call,
    headers: { 'idempotency-key': context.ids.next(), ...headers },
  });

const cookieOf = async (...given: ['viewer' | 'support' | 'admin', string?]) =>
  (await giveOperator(context, ...given)).cookie;

/** Performs an act as an operator. */
async function perform(act: OfferedAct, input: object, call: PageCall = {}) {
  const { body, status } = await send(act, input, { cookie: await cookieOf('admin'), group: groupOf(act), ...call });
  return { status, data: body.data as Record<string, unknown>, error: body.error };
}

const actsOf = (accountId: string): Promise<ActEntry[]> => log.of(`account/${accountId}`, { limit: 20 });
const balanceOf = async (accountId: string) => (await context.accounts.find(accountId))?.balance;

describe('of all operators’ acts,', () => {
  test('those that need no access to AWS are offered by the pages, to the roles that may perform them', () => {
    const byPages = Object.values(table).filter(({ isForCommandLine }) => !isForCommandLine);
    expect(offered.map(([, name]) => name).toSorted()).toEqual(byPages.map(({ name }) => name).toSorted());
    const roles = offered.map(([group, name]) => [name, performers[group].operator]);
    expect(roles).toEqual(offered.map(([, name]) => [name, table[name]?.role]));
  });

  test.each(operatorRoles)('the role %s can perform exactly those of its own and lower roles', async (role) => {
    for (const [group, name] of offered) {
      const { body, status } = await send(name, {}, { cookie: await cookieOf(role, `${name}@example.com`), group });
      const isOpen = operatorRoles.indexOf(role) >= operatorRoles.indexOf(table[name]?.role ?? 'admin');
      expect([name, status, body.error?.code]).toEqual([
        name,
        ...(isOpen ? [400, 'VALIDATION_ERROR'] : [403, 'FORBIDDEN']),
      ]);
    }
    expect(await log.list({ limit: 1 })).toEqual([]);
  });

  test('none can be performed by account owners, tokens, anonymous requests or a page of another site', async () => {
    const owner = await giveSession(context, account.accountId);
    const strangers = [
      {},
      { cookie: owner.cookie },
      { cookie: owner.cookie.replace('session=', 'operator=') },
      { headers: { authorization: `Bearer ${account.token}` } },
    ];
    for (const [group, name] of offered) {
      for (const stranger of strangers) expect((await send(name, {}, { group, ...stranger })).status).toBe(401);
      const cookie = await cookieOf('admin', `${name}-elsewhere@example.com`);
      const foreign = { cookie, group, headers: { 'sec-fetch-site': 'same-site' } };
      expect((await send(name, {}, foreign)).status).toBe(403);
    }
    expect(await log.list({ limit: 1 })).toEqual([]);
  });

  test('none can be performed by the operation for another group of acts, or without the access to AWS that it needs', async () => {
    const cookie = await cookieOf('admin');
    const misplaced = groups.flatMap((group) =>
      offered.filter(([own]) => own !== group).map(([, name]) => [group, name]),
    );
    for (const [group, name] of [...misplaced.slice(0, 30), ['admin', 'rotateWebhookKey'], ['account', 'toString']]) {
      expect((await send(name ?? '', {}, { cookie, group: group as ActGroup })).status).toBe(404);
    }
  });
});

const grant = (amount: number) => ({ account: account.accountId, amount, kind: 'bonus' });

describe('an operator’s act', () => {
  test('is previewed by a dry run, which changes and records nothing', async () => {
    const before = (await balanceOf(account.accountId)) ?? 0;
    const preview = await perform('grantCredits', grant(5), { headers: { 'x-dry-run': 'true' } });
    expect(preview.data).toEqual({ before: { balance: before }, after: { granted: 5, kind: 'bonus' } });
    expect(await balanceOf(account.accountId)).toBe(before);
    expect(await actsOf(account.accountId)).toEqual([]);
  });

  test('is performed once for each key, and returned and listed with the same content as in the log', async () => {
    const before = (await balanceOf(account.accountId)) ?? 0;
    const call = { headers: { 'idempotency-key': 'granted once' }, cookie: await cookieOf('support') };
    const [first, ...others] = await Promise.all([0, 1, 2].map(() => perform('grantCredits', grant(5), call)));
    expect(first).toMatchObject({
      status: 200,
      data: { act: 'grantCredits', operator: 'support@example.com', state: 'done' },
    });
    expect(others.map(({ data }) => data)).toEqual([first?.data, first?.data]);
    expect(await balanceOf(account.accountId)).toBe(before + 5);
    expect(await perform('grantCredits', grant(6), call)).toMatchObject({
      status: 409,
      error: { code: 'IDEMPOTENCY_CONFLICT' },
    });
    const cookie = await cookieOf('viewer');
    const listed = await callAsOperator(host.url, 'listActs', { cookie, query: `account=${account.accountId}` });
    expect(listed.body.data).toEqual({ acts: [first?.data] });
    const ofTests = await callAsOperator(host.url, 'listActs', { cookie, query: `account=test-${account.accountId}` });
    expect(ofTests.body.data).toEqual({ acts: [] });
    const actId = String(first?.data.actId);
    expect((await callAsOperator(host.url, 'getAct', { cookie, params: { actId } })).body.data).toEqual(first?.data);
  });

  test.each([
    ['without a key', { headers: { 'idempotency-key': '' } }, /^Idempotency-Key /],
    ['without a reason', { body: { input: {} } }, /^reason /],
    ['without an input', { body: { reason: 'Because.' } }, /^input /],
    ['with an unknown field', { body: { reason: 'Because.', input: { account: 1, x: 2 } } }, /^account must be a text/],
  ])('%s is rejected, and not recorded', async (_, call, message) => {
    const { error, status } = await perform('grantCredits', grant(5), call);
    expect([status, error?.message]).toEqual([400, expect.stringMatching(message)]);
    expect(await actsOf(account.accountId)).toEqual([]);
  });

  test('that is rejected after it has begun is in the log as failed', async () => {
    const input = { account: account.accountId, amount: -1_000_000, kind: 'adjustment' };
    expect((await perform('grantCredits', input)).status).toBe(400);
    expect(await actsOf(account.accountId)).toMatchObject([{ act: 'grantCredits', state: 'failed', code: 'invalid' }]);
  });

  test.each([
    ['one of whose steps fails', 1, { state: 'failed', code: 'internal' }],
    ['whose process dies between two steps', 99, { state: 'begun' }],
  ])('%s is in the log', async (_, failures, entry) => {
    await giveSession(context, account.accountId);
    const cookie = await cookieOf('support');
    let left = 0;
    const failing =
      <Given extends readonly unknown[], Result>(write: (...given: Given) => Promise<Result>) =>
      async (...given: Given): Promise<Result> => {
        const isRecord = JSON.stringify(given).includes('"ACTS');
        if (left > 0 && left-- > 0) throw new Error('the process has died');
        const result = await write(...given);
        if (isRecord) left = failures;
        return result;
      };
    const dying: Table = {
      ...context.table,
      update: failing((input) => context.table.update(input)),
      transact: failing((actions) => context.table.transact(actions)),
    };
    host.service.bind({ ...context, ...stores(dying, context.clock, context.settings), table: dying });
    expect((await perform('endSessions', { account: account.accountId }, { cookie })).status).toBe(500);
    host.service.bind(context);
    expect(await actsOf(account.accountId)).toMatchObject([{ act: 'endSessions', ...entry }]);
  });
});

test('a credit grant above the limit waits in a list until another operator approves it', async () => {
  const before = (await balanceOf(account.accountId)) ?? 0;
  const ana = await cookieOf('admin', 'ana@example.com');
  const bia = await cookieOf('admin', 'bia@example.com');
  const waiting = async () => {
    const { body } = await callAsOperator(host.url, 'listGrantRequests', { cookie: await cookieOf('viewer') });
    const { requests } = body.data as { requests: readonly { accountId: string; requestId: string }[] };
    return requests.filter(({ accountId }) => accountId === account.accountId);
  };
  const asked = await perform('grantCredits', grant(10_001), { cookie: ana });
  expect(asked.data).toMatchObject({ state: 'done', after: { waitsForApproval: true } });
  const [request] = await waiting();
  expect(request).toMatchObject({ amount: 10_001, requestedBy: 'ana@example.com', reason: 'Tried by a test.' });
  const decision = { request: request?.requestId };
  expect((await perform('approveGrant', decision, { cookie: ana })).status).toBe(403);
  expect(await balanceOf(account.accountId)).toBe(before);
  expect((await perform('approveGrant', decision, { cookie: bia })).data).toMatchObject({ after: { granted: 10_001 } });
  expect([await balanceOf(account.accountId), await waiting()]).toEqual([before + 10_001, []]);
});

test('credits can be removed from a closed account but not given to it, not even by approval; its page says that it is closed', async () => {
  await perform('grantCredits', grant(10_001), { cookie: await cookieOf('admin', 'ana@example.com') });
  const { body } = await callAsOperator(host.url, 'listGrantRequests', { cookie: await cookieOf('viewer') });
  const { requests } = body.data as { requests: readonly { accountId: string; requestId: string }[] };
  const request = requests.find(({ accountId }) => accountId === account.accountId)?.requestId;
  await perform('grantCredits', grant(5));
  const before = (await balanceOf(account.accountId)) ?? 0;
  await closeAccount(context, account.accountId, { isByOwner: true });
  for (const given of [await perform('grantCredits', grant(5)), await perform('approveGrant', { request })]) {
    expect(given).toMatchObject({ status: 403, error: { message: 'The account is closed.' } });
  }
  expect(await balanceOf(account.accountId)).toBe(before);
  expect((await perform('grantCredits', { ...grant(-5), kind: 'adjustment' })).status).toBe(200);
  const page = await callAsOperator(host.url, 'getCustomer', {
    cookie: await cookieOf('viewer'),
    params: { accountId: account.accountId },
  });
  expect(page.body.data).toMatchObject({
    account: { balance: before - 5, closedAt: expect.any(String), eraseAt: expect.any(String), erasedAt: null },
  });
});

test('a change of the catalog is previewed, is in the history of its row, and is undone', async () => {
  const priceOf = async () => (await context.catalog.show(pricesRow)).members.voice;
  const byDefault = await priceOf();
  const price = { type: 'voice', name: 'charactersPerCredit', value: 7 };
  const { data } = await perform('setPrice', price, { headers: { 'x-dry-run': 'true' } });
  expect(data).toMatchObject({ after: { members: { voice: { charactersPerCredit: 7 } } } });
  expect(await priceOf()).toEqual(byDefault);
  await perform('setPrice', price);
  expect(await priceOf()).toMatchObject({ charactersPerCredit: 7 });
  await perform('undoCatalog', { row: 'prices' });
  expect(await priceOf()).toEqual(byDefault);
  const { body } = await callAsOperator(host.url, 'listActs', {
    cookie: await cookieOf('viewer'),
    query: 'row=prices',
  });
  const history = (body.data as { acts: readonly { act: string }[] }).acts.map(({ act }) => act);
  expect(history).toEqual(['undoCatalog', 'setPrice']);
});

test('the operators’ pages learn which input each act needs, and who may perform it, from the list of forms', async () => {
  const { body } = await callAsOperator(host.url, 'listActForms', { cookie: await cookieOf('viewer') });
  const { forms } = body.data as { forms: readonly { act: string; group: string; input: { required?: string[] } }[] };
  expect(forms.map(({ act, group }) => [group, act])).toEqual(offered);
  expect(forms.find(({ act }) => act === 'grantCredits')).toMatchObject({
    role: 'support',
    input: { required: ['account', 'amount', 'kind'], properties: { kind: { enum: ['bonus', 'adjustment'] } } },
  });
});
