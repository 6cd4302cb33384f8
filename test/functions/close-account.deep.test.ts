/** An owner closes their account at the dashboard and opens it again; what is under way meanwhile leaves nothing behind. */
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { sandboxTokens } from '../../infra/cli/sandbox-pages.ts';
import type { DashboardOperationId } from '../../shared/contracts/dashboard.ts';
import { closedAccountDays, daysBetweenReopenings } from '../../shared/contracts/limits.ts';
import type { OperationId } from '../../shared/contracts/registry.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { connectPage } from '../../shared/domain/piloto/pages/connect-page.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { closeAccount, endWeek, reopenAccount } from '../../shared/domain/privacy/closing.ts';
import { advanceClosure } from '../../shared/domain/privacy/erase-account.ts';
import { kindOfRow, rowKinds } from '../../shared/domain/privacy/register.ts';
import { Rejection } from '../../shared/domain/rejection.ts';
import { accountOf } from '../../shared/domain/sessions/sign-up.ts';
import { stores } from '../../shared/domain/stores.ts';
import type { Table } from '../../shared/platform/dynamo-table.ts';
import type { FullContext } from '../../shared/runtime/full-context.ts';
import { perform } from '../domain/operators/operators-world.ts';
import { closureNeeds } from '../support/closure-needs.ts';
import { connectNeeds } from '../support/connected-pages.ts';
import { eventually } from '../support/eventually.ts';
import { callAsPage, giveSession, type PageCall } from '../support/given-session.ts';
import { storedItems } from '../support/stored-items.ts';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests({ hasIdentity: true });
const { context, identity } = host.service;
const dayMs = 86_400_000;

/** An account whose owner has just logged in through a provider, which counts as a confirmation. */
async function owned(given: { readonly authenticatedAt?: number } = {}) {
  const account = await host.account({ credits: 100, planId: 'business' });
  const user = identity?.users.fromProvider('Google', { email: `${account.accountId}@example.com`, name: 'Ana' });
  if (!user) throw new Error('the service has no identity provider');
  const { subject, username } = user;
  const by = { kind: 'social', provider: 'Google', subject, username, ...given } as const;
  const { cookie, digest } = await giveSession(context, account.accountId, by);
  const page = async (operationId: Parameters<typeof callAsPage>[1], call: PageCall = {}) => {
    const { status, body } = await callAsPage(host.url, operationId, { cookie, ...call });
    return { status, data: body.data as Record<string, unknown>, error: body.error };
  };
  return { ...account, page, digest };
}

const closed = { status: 403, error: { code: 'FORBIDDEN', message: 'The account is closed.' } };

test('an owner closes the account, which stops its tokens and other sessions at once, and opens it again', async () => {
  const { accountId, page, token } = await owned();
  const other = await giveSession(context, accountId);
  const { data: closure } = await page('closeAccount');
  const closedAt = Date.parse(String(closure.closedAt));
  expect(Date.parse(String(closure.eraseAt))).toBe(closedAt + closedAccountDays * dayMs);
  expect((await host.call('getProfile', { token })).status).toBe(401);
  expect((await callAsPage(host.url, 'getSession', { cookie: other.cookie })).status).toBe(401);
  expect(await page('getSession')).toMatchObject({ status: 200, data: { closure } });
  expect(await page('closeAccount')).toMatchObject({ status: 200, data: closure });
  for (const operationId of ['listTokens', 'getProfile', 'listTasks', 'listConnections'] as const)
    expect(await page(operationId)).toMatchObject(closed);
  await host.service.invoke('eraseClosedAccounts', {});
  expect(await page('reopenAccount')).toMatchObject({ status: 200, data: { accountId } });
  expect(await page('reopenAccount')).toMatchObject({ status: 200 });
  expect(await page('getSession')).toMatchObject({ status: 200, data: { closure: null } });
  expect((await page('listTokens')).status).toBe(200);
  expect((await host.call('getProfile', { token })).status).toBe(401);
});

test('an account is not closed without a recent confirmation of its owner', async () => {
  const { accountId, page, token } = await owned({ authenticatedAt: context.clock.now() - 11 * 60_000 });
  expect(await page('closeAccount')).toMatchObject({ status: 403, error: { code: 'CONFIRMATION_REQUIRED' } });
  expect(await context.accounts.find(accountId)).not.toHaveProperty('closing');
  expect((await host.call('getProfile', { token })).status).toBe(200);
});

test('an owner cannot open an account that an operator closed, or one whose time to be opened again has passed', async () => {
  const { accountId, page } = await owned();
  await page('closeAccount');
  host.clock.advance(closedAccountDays * dayMs);
  const { cookie } = await giveSession(context, accountId, { isOfClosed: true });
  const late = await callAsPage(host.url, 'reopenAccount', { cookie });
  expect([late.status, late.body.error?.code]).toEqual([409, 'CLOSURE_FINAL']);
  const by = await owned();
  await closeAccount(context, by.accountId);
  const session = await giveSession(context, by.accountId, { isOfClosed: true });
  const refused = await callAsPage(host.url, 'reopenAccount', { cookie: session.cookie });
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'CLOSURE_FINAL']);
});

test('an owner opens a closed account once in 30 days, even in races, and not after an operator has closed it as well', async () => {
  const { accountId, page } = await owned();
  const reopened = async () => {
    const sessions = await Promise.all([0, 1, 2].map(() => giveSession(context, accountId, { isOfClosed: true })));
    const found = await Promise.all(sessions.map(({ cookie }) => callAsPage(host.url, 'reopenAccount', { cookie })));
    return found.map(({ status, body }) => body.error?.code ?? status);
  };
  const isReopenable = async () => {
    const { cookie } = await giveSession(context, accountId, { isOfClosed: true });
    const { body } = await callAsPage(host.url, 'getSession', { cookie });
    return (body.data as { closure: { isReopenable: boolean } }).closure.isReopenable;
  };
  await page('closeAccount');
  expect(await isReopenable()).toBe(true);
  expect(new Set(await reopened())).toEqual(new Set([200]));
  host.clock.advance(daysBetweenReopenings * dayMs - 60_000);
  await closeAccount(context, accountId, { isByOwner: true });
  expect(await isReopenable()).toBe(false);
  expect(new Set(await reopened())).toEqual(new Set(['CLOSURE_FINAL']));
  host.clock.advance(60_000);
  expect(await isReopenable()).toBe(true);
  expect(new Set(await reopened())).toEqual(new Set([200]));
  host.clock.advance(daysBetweenReopenings * dayMs);
  await closeAccount(context, accountId, { isByOwner: true });
  const closing = () => perform({ ...context, ...closureNeeds(context) }, acts.closeAccount, { account: accountId });
  expect(await isReopenable()).toBe(true);
  expect(await closing()).toMatchObject({ entry: { state: 'done' } });
  expect(await isReopenable()).toBe(false);
  await expect(closing()).rejects.toThrow('is closed already');
  expect(new Set(await reopened())).toEqual(new Set(['CLOSURE_FINAL']));
});

test('an owner who logs in to their closed account can only open it, unless an operator has opened it before', async () => {
  const email = `${context.ids.next()}@example.com`;
  const identified = {
    issuer: 'https://id.example.com',
    subject: context.ids.next(),
    username: email,
    kind: 'social',
    provider: 'Google',
    name: 'Ana',
    email,
    isEmailVerified: true,
    authenticatedAt: context.clock.now(),
    loginId: 'first',
    groups: [],
  } as const;
  const enter = () => accountOf(context, identified, { signUp: 'open', credits: 0 });
  const admitted = await enter();
  const accountId = 'accountId' in admitted ? admitted.accountId : expect.fail();
  await closeAccount(context, accountId, { isByOwner: true });
  expect(await enter()).toEqual({ accountId, isOfClosed: true });
  const { cookie } = await giveSession(context, accountId, { isOfClosed: true });
  const page = (operationId: 'getSession' | 'listTokens') => callAsPage(host.url, operationId, { cookie });
  expect((await page('listTokens')).status).toBe(403);
  await reopenAccount(context, accountId);
  expect((await page('getSession')).body.data).toMatchObject({ closure: null });
  expect((await page('listTokens')).status).toBe(200);
  expect(await enter()).toEqual({ accountId });
});

const image = { contentType: 'image/png', bytes: 1000 };
const avatar = { name: 'Ana', imageUrl: host.engine.inputUrls.image, sourceInfluencerId: 'ana' };
const product = { images: [host.engine.inputUrls.image], title: 'Caneca', description: 'De cerâmica.' };

type Owned = Awaited<ReturnType<typeof owned>>;

const byToken = (operationId: OperationId, body: object) => (_: FullContext, account: Owned) =>
  host.call(operationId, { token: account.token, body });

const byPage = (operationId: DashboardOperationId | OperationId, body: object) => (_: FullContext, account: Owned) =>
  account.page(operationId, { body });

/** Connects a page of the account in the sandbox of social networks; its answer is that of the dashboard. */
async function connect(racing: FullContext, { accountId }: Owned) {
  const needs = { ...connectNeeds(context), ...racing, connections: connectionStore(racing.table) };
  const [grant] = await sandboxTokens(context, accountId);
  if (!grant) throw new Error('the sandbox has no page');
  const isRefused = (error: unknown) => error instanceof Rejection && error.kind === 'forbidden';
  return connectPage(needs, { accountId, network: 'sandbox', ...grant }).then(
    () => ({ status: 200 }),
    (error: unknown) => (isRefused(error) ? { status: 403 } : Promise.reject(error)),
  );
}

/** Performs a request with a table on which the account is closed before the nth write. */
async function closedBefore(step: number, account: Owned, work: (typeof requests)[number][1]) {
  let writes = 0;
  const closing =
    <Given, Result>(write: (given: Given) => Promise<Result>) =>
    async (given: Given) => {
      writes += 1;
      if (writes === step) await closeAccount(context, account.accountId);
      return write(given);
    };
  const table: Table = {
    ...context.table,
    transact: closing((given: Parameters<Table['transact']>[0]) => context.table.transact(given)),
    update: closing((given: Parameters<Table['update']>[0]) => context.table.update(given)),
  };
  const racing = { ...context, ...stores(table, context.clock, context.settings), circuits: context.circuits };
  const response = await host.withContext(racing, () => work(racing, account));
  return { response, isClosed: writes >= step };
}

const requests = [
  ['createFile', byToken('createFile', image), 'FILE#'],
  ['createStudioProduct', byToken('createStudioProduct', product), 'PRODUCT#'],
  ['createStudioAvatar', byToken('createStudioAvatar', avatar), 'AVATAR#'],
  ['createToken', byPage('createToken', { name: 'late', scopes: ['read:tasks'] }), 'TOKEN-ID#'],
  ['createCreditOrder', byPage('createCreditOrder', { packId: 'pack-500' }), 'ORDER#'],
  ['generateVoice', byToken('generateVoice', { text: 'Uma frase.', voice: 'sarah' }), 'TASK#'],
  ['requestExport', byPage('requestExport', {}), 'EXPORT#'],
  ['connecting a page', connect, 'CONNECTIONS#'],
] as const;

/** What the erasure of an account has left of it, but for what the law requires. */
async function leftOf(accountId: string): Promise<string[]> {
  await closeAccount(context, accountId);
  await endWeek(context, accountId);
  await eventually('the erasure', async () => {
    await advanceClosure(closureNeeds(context), accountId, Number.MAX_SAFE_INTEGER);
    if ((await context.accounts.find(accountId))?.erasedAt !== undefined) return true;
    host.clock.advance(61_000);
    await host.service.invoke('scheduleInboxSyncs', {});
    return undefined;
  });
  const stored = await storedItems(host.service.environment);
  return [...stored.entries()].flatMap(([key, item]) => {
    const kind = kindOfRow(unmarshall(item)) ?? 'catalog';
    const isLeft = rowKinds[kind].erasure === 'erased' && kind !== 'task' && key.includes(accountId);
    return isLeft ? [key] : [];
  });
}

test.each(requests)(
  '%s stores nothing that outlasts the account, if that is closed before it commits',
  async (_, work, partition) => {
    host.engine.play({});
    for (let step = 1; ; step += 1) {
      const account = await owned();
      const before = new Set((await storedItems(host.service.environment)).keys());
      const { response, isClosed } = await closedBefore(step, account, work);
      const stored = [...(await storedItems(host.service.environment)).keys()].filter((key) => !before.has(key));
      const made = stored.filter((key) => key.startsWith(partition));
      // A request that has committed before is answered as if the account were open.
      expect(made.length > 0, `step ${step}: ${response.status}`).toBe(response.status < 300);
      if (step === 1) expect([401, 403]).toContain(response.status);
      expect(await leftOf(account.accountId), `step ${step}`).toEqual([]);
      if (!isClosed) break;
    }
  },
);
