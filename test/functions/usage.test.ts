/** What an account's tasks cost: to tokens and in the dashboard, as JSON and as CSV. */

import { beforeEach, expect, test } from 'vitest';
import { getUsage } from '../../functions/account/get-usage.ts';
import { usageDays } from '../../shared/contracts/limits.ts';
import { appendLedgerRow } from '../../shared/domain/accounts/ledger-store.ts';
import { dayAt } from '../../shared/platform/clock.ts';
import { randomIds } from '../../shared/platform/ids.ts';
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

/** Creates a task that costs a credit, and another that is canceled. */
async function speakTwice(): Promise<void> {
  await host.speak(account.token);
  const taskId = await host.speak(account.token);
  await host.call('cancelTask', { token: account.token, params: { taskId } });
}

const sums = { tasks: 2, failed: 1, creditsUsed: 2, creditsRefunded: 1 };

test('a token and the dashboard get the usage by day for the last 30 days by default', async () => {
  await speakTwice();
  const { cookie } = await giveSession(host.service.context, account.accountId);
  const responses = [await read(), await callAsPage(host.url, 'getUsage', { cookie })];
  const report = { from: daysAgo(29), to: daysAgo(0), rows: [{ day: daysAgo(0), ...sums }] };
  expect(responses.map(({ body }) => body.data)).toEqual([report, report]);
});

test('the usage has one row for each combination of the one or two keys that it is grouped by', async () => {
  await speakTwice();
  const other = await host.token(account.accountId);
  await host.speak(other.token);
  const one = { tasks: 1, failed: 0, creditsUsed: 1, creditsRefunded: 0 };
  const both = { ...sums, tasks: 3, creditsUsed: 3 };
  const [day, taskType] = [daysAgo(0), 'voice'];
  const ofTokens = [
    { token: account.tokenId, ...sums },
    { token: other.tokenId, ...one },
  ].toSorted((a, b) => (a.token < b.token ? -1 : 1));
  for (const [groupBy, rows] of [
    ['day', [{ day, ...both }]],
    ['taskType', [{ taskType, ...both }]],
    ['taskType,day', [{ day, taskType, ...both }]],
    ['token', ofTokens],
    ['day,token', ofTokens.map((row) => ({ day, ...row }))],
    ['token,taskType', ofTokens.map((row) => ({ taskType, ...row }))],
  ] as const) {
    expect([groupBy, (await read(`groupBy=${groupBy}`)).body.data]).toMatchObject([groupBy, { rows }]);
  }
});

test('the usage cannot be grouped by client references, by unknown or repeated keys, or by three keys', async () => {
  for (const groupBy of ['clientReference', 'day,clientReference', 'month', 'day,day', 'day,taskType,token', '']) {
    const { body, status } = await read(`groupBy=${groupBy}`);
    expect([groupBy, status, body.error]).toEqual([
      groupBy,
      400,
      {
        code: 'VALIDATION_ERROR',
        message:
          'groupBy must be one or two different keys of day, taskType, token, separated by a comma; clientReference is not supported',
      },
    ]);
  }
});

test('while there are more ledger rows than one request reads, the usage is unavailable until requests have counted all', async () => {
  const { accountId, tokenId } = account;
  const { context } = host.service;
  const at = host.clock.now() - 2 * 24 * 3_600_000;
  const ids = randomIds({ now: () => at });
  const row = { accountId, tokenId, at, amount: -1, taskType: 'voice', reason: 'generation' } as const;
  for (let count = 0; count < 5; count += 1) {
    await context.table.transact([appendLedgerRow({ ...row, id: ids.next(), taskId: ids.next() })]);
  }
  const request = { actor: { accountId }, query: { groupBy: 'day' } } as Parameters<typeof getUsage>[0];
  const report = () => getUsage(request, Object.assign({}, context, { rowsPerReport: 2 }));
  const unavailable = { code: 'PROVIDER_UNAVAILABLE', retryAfterSeconds: 1 };
  for (let count = 0; count < 2; count += 1) await expect(report()).rejects.toMatchObject(unavailable);
  const sums = { tasks: 5, failed: 0, creditsUsed: 5, creditsRefunded: 0 };
  expect(await report()).toMatchObject({ rows: [{ day: daysAgo(2), ...sums }] });
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

test('a client that accepts CSV gets the usage as CSV with the same columns, with a header line even if there are no rows', async () => {
  const table = async (accept: string, query = '') => {
    const { headers, text } = await read(query, { accept });
    return [headers['content-type'], text];
  };
  const type = 'text/csv; charset=utf-8; header=present';
  const columns = 'day,tasks,failed,creditsUsed,creditsRefunded\r\n';
  expect(await table('text/csv')).toEqual([type, columns]);
  await speakTwice();
  const lines = `${columns}${daysAgo(0)},2,1,2,1\r\n`;
  expect(await table('text/csv')).toEqual([type, lines]);
  expect(await table('application/pdf, Text/CSV;q=0.9')).toEqual([type, lines]);
  const byTwo = `taskType,token,tasks,failed,creditsUsed,creditsRefunded\r\nvoice,${account.tokenId},2,1,2,1\r\n`;
  expect(await table('text/csv', 'groupBy=token,taskType')).toEqual([type, byTwo]);
  for (const accept of ['*/*', 'text/*', 'text/csvx', 'text/csv;q=0', 'application/json'])
    expect((await table(accept))[0]).toBe('application/json; charset=utf-8');
});

test('an error about the usage is JSON even for a client that accepts CSV', async () => {
  const { body, headers } = await read('to=never', { accept: 'text/csv' });
  expect([body.error?.code, headers['content-type']]).toEqual(['VALIDATION_ERROR', 'application/json; charset=utf-8']);
});
