/** What an account's tasks cost: to tokens and in the dashboard, as JSON and as CSV. */
import { beforeEach, expect, test } from 'vitest';
import { usageDays } from '../../shared/contracts/limits.ts';
import { dayAt } from '../../shared/domain/usage/usage.ts';
import { callAsPage, giveSession } from '../support/given-session.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';

let account: TestAccount;

const host = await serviceInTests({ clock: stillClock() });
beforeEach(async () => {
  account = await host.account();
});

const read = (query = '', headers = {}) => host.call('getUsage', { token: account.token, query, headers });
const daysAgo = (days: number) => dayAt(host.clock.now() - days * 24 * 3_600_000);
const columns = 'day,taskType,tokenId,tasks,creditsUsed,creditsRefunded\r\n';

test('tokens and the dashboard get the cost of today’s tasks by type and token', async () => {
  await host.speak(account.token);
  const { cookie } = await giveSession(host.service.context, account.accountId);
  const responses = [await read(), await callAsPage(host.url, 'getUsage', { cookie })];
  const { tokenId } = account;
  const entry = { day: daysAgo(0), taskType: 'voice', tokenId, tasks: 1, creditsUsed: 1, creditsRefunded: 0 };
  const report = { from: daysAgo(29), to: daysAgo(0), isComplete: true, usage: [entry] };
  expect(responses.map(({ body }) => body.data)).toEqual([report, report]);
});

test('a date range of the usage that is reversed, too long or too old is rejected with a message that names the parameter', async () => {
  const oldest = daysAgo(usageDays);
  for (const query of [
    'from=2026-02-30',
    `from=${daysAgo(1)}&to=${daysAgo(2)}`,
    `from=${oldest}&to=${daysAgo(0)}`,
    `from=${daysAgo(usageDays + 1)}&to=${oldest}`,
    'to=2020-01-31',
  ]) {
    const { body, status } = await read(query);
    expect([query, status, body.error?.code]).toEqual([query, 400, 'VALIDATION_ERROR']);
    expect(body.error?.message).toMatch(/^(?:from|to) must /);
  }
  expect((await read(`from=${oldest}&to=${daysAgo(1)}`)).status).toBe(200);
});

test('a client that accepts CSV gets the usage as CSV, with a header line even if there are no entries', async () => {
  const table = async (accept: string) => {
    const { headers, text } = await read('', { accept });
    return [headers['content-type'], text];
  };
  const type = 'text/csv; charset=utf-8; header=present';
  expect(await table('text/csv')).toEqual([type, columns]);
  await host.speak(account.token);
  const lines = `${columns}${daysAgo(0)},voice,${account.tokenId},1,1,0\r\n`;
  expect(await table('text/csv')).toEqual([type, lines]);
  expect(await table('application/pdf, Text/CSV;q=0.9')).toEqual([type, lines]);
  for (const accept of ['*/*', 'text/*', 'text/csvx', 'application/json'])
    expect((await table(accept))[0]).toBe('application/json; charset=utf-8');
});

test('an error about the usage is JSON even for a client that accepts CSV', async () => {
  const { body, headers } = await read('to=never', { accept: 'text/csv' });
  expect([body.error?.code, headers['content-type']]).toEqual(['VALIDATION_ERROR', 'application/json; charset=utf-8']);
});
