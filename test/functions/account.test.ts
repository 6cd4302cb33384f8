/** What an account can read about itself. */
import { expect, test } from 'vitest';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests();

test('the profile contains the account’s plan, the plan’s features and the limits that apply', async () => {
  const account = await host.account({ planId: 'pro' });
  const response = await host.call('getProfile', { token: account.token });
  expect(response.body.data).toEqual({
    id: account.accountId,
    email: 'test@example.com',
    name: 'Test',
    plan: { id: 'pro', name: 'Pro' },
    features: ['cortes', 'studio'],
    limits: { requestsPerMinute: 60, simultaneousTasks: 20 },
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
});

test('an account without a plan has no plan features', async () => {
  const account = await host.account();
  const response = await host.call('getProfile', { token: account.token });
  expect(response.body.data).toMatchObject({ plan: null, features: [] });
});

test('the credit history lists every change of the balance, newest first, and the changes add up to the balance', async () => {
  const account = await host.account({ credits: 50 });
  const taskId = await host.speak(account.token);
  await host.call('cancelTask', { token: account.token, params: { taskId } });
  await host.speak(account.token, { text: 'a'.repeat(60), voice: 'eric' });
  const read = async (query = '') => {
    const response = await host.call('listCreditHistory', { token: account.token, query });
    return response.body.data as {
      balance: number;
      history: { amount: number; reason: string; toolId: string | null }[];
    };
  };
  const { balance, history } = await read();
  expect(history.map(({ amount, reason, toolId }) => [amount, reason, toolId])).toEqual([
    [-2, 'generation', 'voice'],
    [1, 'refund', 'voice'],
    [-1, 'generation', 'voice'],
    [50, 'bonus', null],
  ]);
  expect(history.reduce((sum, { amount }) => sum + amount, 0)).toBe(balance);
  expect((await read('limit=2&offset=1')).history).toEqual(history.slice(1, 3));
  expect((await read('offset=4')).history).toEqual([]);
});
