/** What moves credits or money under a session: done once, whoever of the account repeats it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callAsPage, type GivenSession, giveSession } from '../support/given-session.ts';
import { type TestAccount, type TestService, testService } from '../support/test-service.ts';
import { creditOrderScene } from './credit-order-scene.ts';

let host: TestService;
let account: TestAccount;
let owner: GivenSession;

beforeAll(async () => {
  host = await testService({ hasIdentity: true });
});
afterAll(() => host.close());
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

const idIn = ({ body }: Awaited<ReturnType<typeof buyAsPage>>) => (body.data as { id: string }).id;

test('a credit order made in a session is charged, and credited when it is paid', async () => {
  const scene = creditOrderScene(host, account);
  const response = await buyAsPage('from the page');
  expect(response.status, response.text).toBe(201);
  const orderId = idIn(response);
  expect(scene.chargeOf(orderId)).toBeGreaterThan(0);
  await scene.change(orderId, 'pay');
  expect(await scene.balance()).toBe(110);
});

test('a session and a token of an account share the response of an idempotency key, and one charge is made', async () => {
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

test('a session of the account can cancel a task, which is refunded once', async () => {
  host.engine.play({});
  const taskId = await host.speak(account.token);
  const cancel = () => callAsPage(host.url, 'cancelTask', { cookie: owner.cookie, params: { taskId } });
  const response = await cancel();
  expect(response.status, response.text).toBe(200);
  await cancel();
  expect((await host.standing(account.accountId)).balance).toBe(10);
  await host.audit();
});
