/** The export of an account, as its owner requests, follows and downloads it in the dashboard. */
import { unzipSync } from 'fflate';
import { beforeEach, expect, test } from 'vitest';
import type { DashboardOperationId } from '../../shared/contracts/dashboard.ts';
import { exportHours, exportsPerDay, linksPerExport } from '../../shared/contracts/limits.ts';
import { exportStore } from '../../shared/domain/exports/export-store.ts';
import { sessionStore } from '../../shared/domain/sessions/session-store.ts';
import { callAsPage, type GivenSession, giveSession, type PageCall } from '../support/given-session.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { storedKeys } from '../support/stored-keys.ts';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';

let account: TestAccount;
let owner: GivenSession;

const host = await serviceInTests({ clock: stillClock(), hasIdentity: true });
const ofGoogle = () => {
  const user = host.service.identity?.users.fromProvider('Google', { email: 'ana@example.com', name: 'Ana' });
  return { kind: 'social', provider: 'Google', username: user?.username ?? '' } as const;
};
beforeEach(async () => {
  account = await host.account({ credits: 50 });
  owner = await giveSession(host.service.context, account.accountId, ofGoogle());
});

const page = async (operationId: DashboardOperationId, request: PageCall = {}) => {
  const body = operationId === 'getExport' ? {} : { body: {} };
  const { status, body: answer } = await callAsPage(host.url, operationId, {
    cookie: owner.cookie,
    ...body,
    ...request,
  });
  return { status, data: answer.data as Record<string, unknown>, error: answer.error };
};
const state = async () => (await page('getExport')).data.state;
const archives = () => storedKeys(host.service.environment.AWS_ENDPOINT_URL_S3, account.accountId);
const make = () => host.service.invoke('makeExports', {});

async function download(): Promise<Record<string, Uint8Array>> {
  const { url } = (await page('openExport')).data;
  const response = await fetch(String(url));
  return unzipSync(new Uint8Array(await response.arrayBuffer()));
}

test('an owner requests an archive, downloads it within a day, and then it is deleted', async () => {
  expect(await state()).toBe('none');
  expect((await page('openExport')).status).toBe(404);
  const requested = await page('requestExport');
  expect(requested).toMatchObject({ status: 202, data: { state: 'making', availableUntil: null } });
  expect((await page('requestExport')).data).toEqual(requested.data);
  await make();
  const ready = (await page('getExport')).data;
  expect(ready).toMatchObject({ state: 'ready', filesLeftOut: 0 });
  const { 'profile.json': profile = new Uint8Array() } = await download();
  expect(JSON.parse(Buffer.from(profile).toString())).toMatchObject([
    { accountId: account.accountId, name: 'Test', balance: 50 },
  ]);
  expect(Date.parse(String(ready.availableUntil)) - host.clock.now()).toBe(exportHours * 3_600_000);

  host.clock.advance(exportHours * 3_600_000 - 1);
  owner = await giveSession(host.service.context, account.accountId, ofGoogle());
  expect((await page('openExport')).status).toBe(200);
  host.clock.advance(1);
  expect(await state()).toBe('expired');
  expect((await page('openExport')).status).toBe(404);
  expect(await archives()).toHaveLength(1);
  await make();
  expect(await archives()).toEqual([]);
});

test('a session whose owner has not confirmed their identity can neither request an archive nor get its link', async () => {
  await page('requestExport');
  await make();
  host.clock.advance(11 * 60_000);
  for (const operationId of ['requestExport', 'openExport'] as const) {
    expect((await page(operationId)).error, operationId).toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
  }
  const { cookie } = await giveSession(host.service.context, account.accountId);
  for (const operationId of ['requestExport', 'openExport'] as const) {
    const { status } = await page(operationId, { cookie, body: { password: 'a guess' } });
    expect(status, operationId).toBe(403);
  }
});

test('a session that ends during its request neither begins an export nor gets its link', async () => {
  const { context } = host.service;
  const { accountId } = account;
  /** Performs a request whose session ends just before its transaction. */
  const ending = (operationId: 'openExport' | 'requestExport') => {
    const transact: typeof context.table.transact = async (actions) => {
      await sessionStore(context.table).endAll(accountId, host.clock.now());
      return context.table.transact(actions);
    };
    return host.withContext({ ...context, table: { ...context.table, transact } }, () => page(operationId));
  };
  const enter = async () => {
    owner = await giveSession(context, accountId, ofGoogle());
  };
  const rejected = { status: 403, error: { code: 'CONFIRMATION_REQUIRED' } };
  expect(await ending('requestExport')).toMatchObject(rejected);
  await enter();
  expect(await state()).toBe('none');
  await page('requestExport');
  await make();
  expect(await ending('openExport')).toMatchObject(rejected);
  expect(await exportStore(context.table).find(accountId)).not.toHaveProperty('links', 1);
  await enter();
  expect((await page('openExport')).status).toBe(200);
});

test('an account has one archive at a time, and may request a few archives a day', async () => {
  for (let count = 1; count <= exportsPerDay; count += 1) {
    expect((await page('requestExport')).status).toBe(202);
    await make();
    expect(await archives()).toHaveLength(1);
  }
  const rejected = await page('requestExport');
  expect(rejected).toMatchObject({ status: 429, error: { message: expect.stringContaining('3 exports on a day') } });
  host.clock.advance(24 * 3_600_000);
  owner = await giveSession(host.service.context, account.accountId, ofGoogle());
  expect((await page('requestExport')).status).toBe(202);
});

test('an archive gets only a few links, even if they are requested concurrently, and a new archive gets its own', async () => {
  await page('requestExport');
  await make();
  const responses = await Promise.all(Array.from({ length: linksPerExport + 3 }, () => page('openExport')));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(linksPerExport);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(3);
  await page('requestExport');
  await make();
  expect((await page('openExport')).status).toBe(200);
});

test('many concurrent requests begin one export, and all of them return it', async () => {
  const responses = await Promise.all(Array.from({ length: 5 }, () => page('requestExport')));
  expect(responses.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
  const { table } = host.service.context;
  const row = await table.get({ pk: `EXPORT#${account.accountId}`, sk: 'EXPORT' });
  expect(row).toMatchObject({ count: 1, state: 'making' });
});
