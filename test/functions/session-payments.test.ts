/** Operations under a session that move credits or money: done once, whichever user of the account repeats them. */
import { beforeEach, expect, test } from 'vitest';
import { callAsPage, type GivenSession, giveSession } from '../support/given-session.ts';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';

let account: TestAccount;
let owner: GivenSession;

const host = await serviceInTests({ hasIdentity: true });
beforeEach(async () => {
  account = await host.account({ credits: 10 });
  owner = await giveSession(host.service.context, account.accountId);
});

const buyAsPage = (key: string) =>
  callAsPage(host.url, 'createCreditOrder', {
    cookie: owner.cookie,
    headers: { 'idempotency-key': key },
    body: { packId: 'pack-100' },
  });

test('a session and a token of one account share idempotency keys: they get the same response, and one charge is made', async () => {
  const charges = () => host.service.payments.payments().length;
  const before = charges();
  const first = await buyAsPage('shared');
  const headers = { 'Idempotency-Key': 'shared' };
  const repeat = await host.call('createCreditOrder', { token: account.token, headers, body: { packId: 'pack-100' } });
  expect([repeat.status, repeat.text]).toEqual([201, first.text]);
  expect(repeat.headers['idempotent-replayed']).toBe('true');
  const third = await buyAsPage('shared');
  expect([third.status, third.text]).toEqual([201, first.text]);
  expect(charges()).toBe(before + 1);
});
