/** Connecting one of several granted pages of Facebook, and disconnecting a page again. */
import { Logger } from '@aws-lambda-powertools/logger';
import { describe, expect, test } from 'vitest';
import { consentKey } from '../../shared/domain/inbox-keys.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { connecting, type OwnersBrowser } from '../support/connecting.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { storedItems } from '../support/stored-items.ts';
import { serviceInTests } from '../support/test-service.ts';
import { testIds } from '../support/test-table.ts';

const host = await serviceInTests({ clock: stillClock() });

const { call, arrive, connect, consent, dashboard, ownersBrowser, shopPage, shown, start } = connecting(host);
const { context, social } = host.service;
const connections = connectionStore(context.table);

const params = { channel: 'facebook' };

/** An owner who has granted two pages. */
async function choosing() {
  const owner = await ownersBrowser();
  const pages = [shopPage(owner.accountId, 'facebook'), shopPage(testIds.next(), 'facebook')] as const;
  const ids = pages.map(({ id }) => id);
  expect(await connect(owner, 'facebook', ids)).toBe('choose');
  return { owner, pages, ids };
}

async function chosen(owner: OwnersBrowser, pageId: string) {
  const { status, body } = await call(owner, 'chooseConnection', { params, body: { pageId } });
  return body.error?.code ?? status;
}

const pageOf = async ({ accountId }: OwnersBrowser) =>
  (await connections.find({ accountId, channel: 'facebook' }))?.pageId;

describe('after an owner has granted access to several pages,', () => {
  test('the owner sees the names of the pages and chooses the one to connect', async () => {
    const { owner, pages } = await choosing();
    const listed = await shown(owner, 'facebook');
    expect(listed).toMatchObject({
      page: null,
      choice: { pages: pages.map(({ id, name }) => ({ pageId: id, name })) },
    });
    expect(await chosen(owner, pages[1].id)).toBe(200);
    expect(await pageOf(owner)).toBe(pages[1].id);
    expect(await shown(owner, 'facebook')).toMatchObject({ page: { name: pages[1].name }, choice: null });
  });

  test('only a page granted to this session can be connected', async () => {
    const { owner, pages } = await choosing();
    const other = await ownersBrowser(owner.accountId);
    const stranger = await ownersBrowser();
    expect(await shown(other, 'facebook')).toMatchObject({ choice: null });
    for (const one of [other, stranger]) expect(await chosen(one, pages[0].id)).toBe('NOT_FOUND');
    expect(await chosen(owner, shopPage(testIds.next(), 'facebook').id)).toBe('NOT_FOUND');
    expect(await chosen(owner, '')).toBe('VALIDATION_ERROR');
    const instagram = { params: { channel: 'instagram' }, body: { pageId: pages[0].id } };
    expect((await call(owner, 'chooseConnection', instagram)).status).toBe(404);
    expect(await pageOf(owner)).toBeUndefined();
  });

  test('the owner must choose a page within ten minutes', async () => {
    const [inTime, late] = [await choosing(), await choosing()];
    host.clock.advance(599_000);
    expect(await chosen(inTime.owner, inTime.pages[0].id)).toBe(200);
    host.clock.advance(1000);
    expect(await shown(late.owner, 'facebook')).toMatchObject({ choice: null });
    expect(await chosen(late.owner, late.pages[0].id)).toBe('NOT_FOUND');
  });

  test('exactly one page is connected, whatever concurrent requests choose', async () => {
    const { owner, ids } = await choosing();
    const outcomes = await Promise.all([...ids, ...ids].map((id) => chosen(owner, id)));
    const connected = await pageOf(owner);
    expect(ids).toContain(connected);
    expect(outcomes).toContain(200);
    const refused = outcomes.filter((outcome) => outcome !== 200);
    expect(['OTHER_PAGE_CONNECTED', 'CONNECTION_CHANGING', 'NOT_FOUND']).toEqual(expect.arrayContaining(refused));
    const losers = [...ids, ...ids].filter((id, index) => id !== connected && outcomes[index] === 200);
    expect(losers).toEqual([]);
  });

  test('another page can be chosen if the first one is already connected to another account', async () => {
    const { owner, pages } = await choosing();
    await connect(await ownersBrowser(), 'facebook', [pages[0].id]);
    expect(await chosen(owner, pages[0].id)).toBe('PAGE_OF_OTHER_ACCOUNT');
    expect(await chosen(owner, pages[1].id)).toBe(200);
  });

  test('a choice can be repeated after the social network was down, unless access to the page has been revoked', async () => {
    const { owner, pages } = await choosing();
    social.mood = 'down';
    const response = await call(owner, 'chooseConnection', { params, body: { pageId: pages[0].id } });
    expect([response.status, response.headers['retry-after']]).toEqual([503, '10']);
    social.mood = 'works';
    // The rejection is queued several times, because calls about pages connected earlier may still arrive and use one.
    social.outcomes.push(...Array.from({ length: 9 }, () => ({ code: 4, headers: { 'retry-after': '420' } })));
    const throttled = await call(owner, 'chooseConnection', { params, body: { pageId: pages[0].id } });
    expect([throttled.status, throttled.headers['retry-after']]).toEqual([503, '420']);
    social.outcomes.splice(0);
    social.world.revoke(pages[1]);
    expect(await chosen(owner, pages[1].id)).toBe('ACCESS_REJECTED');
    expect(await chosen(owner, pages[0].id)).toBe(200);
  });

  test('no page can be chosen once its social network is no longer configured', async () => {
    const { owner, pages } = await choosing();
    const environment = { ...host.service.environment, [settingVariables.metaSandboxUrl]: 'none' };
    await host.withEnvironment(environment, async () => {
      expect(await chosen(owner, pages[0].id)).toBe('NOT_FOUND');
    });
    expect(await pageOf(owner)).toBeUndefined();
  });

  test('a page can still be chosen after the owner has begun to grant access again and denied it', async () => {
    const { owner, pages } = await choosing();
    const { url } = await start(owner, 'facebook');
    const { choice } = (await shown(owner, 'facebook')) ?? {};
    expect(choice).toMatchObject({ pages: [{ pageId: pages[0].id }, { pageId: pages[1].id }] });
    expect(await arrive(owner, await consent(url, [], 'cancel'))).toBe('canceled');
    expect(await shown(owner, 'facebook')).toMatchObject({ choice });
    await start(owner, 'facebook');
    expect(await chosen(owner, pages[0].id)).toBe(200);
    expect(await shown(owner, 'facebook')).toMatchObject({ page: { name: pages[0].name }, choice: null });
    await call(owner, 'removeConnection', { params });
    expect(await chosen(owner, pages[1].id)).toBe('NOT_FOUND');
  });

  test('no page of the earlier grant can be chosen once the owner has granted access again', async () => {
    const { owner, pages } = await choosing();
    expect(await connect(owner, 'facebook', [])).toBe('no-page');
    expect(await shown(owner, 'facebook')).toMatchObject({ choice: null });
    expect(await chosen(owner, pages[0].id)).toBe('NOT_FOUND');
  });

  test('no second page can be chosen while one is connected or being erased', async () => {
    const owner = await ownersBrowser();
    const [own, ...others] = [owner.accountId, testIds.next(), testIds.next()].map(
      (name) => shopPage(name, 'facebook').id,
    );
    await connect(owner, 'facebook', [own ?? '']);
    expect(await connect(owner, 'facebook', others)).toBe('other-page');
    await call(owner, 'removeConnection', { params });
    expect(await connect(owner, 'facebook', others)).toBe('erasing');
    expect(await connect(owner, 'facebook', [own ?? ''])).toBe('erasing');
    expect(await shown(owner, 'facebook')).toMatchObject({ page: { state: 'erasing' }, choice: null });
  });

  test('a consent that grants no page connects none', async () => {
    const owner = await ownersBrowser();
    expect(await connect(owner, 'facebook', [])).toBe('no-page');
    expect(await shown(owner, 'facebook')).toMatchObject({ page: null, choice: null });
  });

  test('a choice that crashed after it was stored can be repeated', async () => {
    const { owner, pages } = await choosing();
    const update: typeof context.table.update = (input) => {
      if (input.UpdateExpression === 'REMOVE choice') throw new Error('the table is away');
      return context.table.update(input);
    };
    await host.withContext({ ...context, table: { ...context.table, update } }, async () => {
      expect(await chosen(owner, pages[0].id)).toBe('INTERNAL_ERROR');
    });
    expect(await pageOf(owner)).toBe(pages[0].id);
    expect(await shown(owner, 'facebook')).toMatchObject({ choice: null });
    expect(await chosen(owner, pages[0].id)).toBe(200);
  });
});

describe('disconnecting a page', () => {
  test('takes effect at once and erases its inbox', async () => {
    const owner = await ownersBrowser();
    await connect(owner, 'facebook', [shopPage(owner.accountId, 'facebook').id]);
    const response = await call(owner, 'removeConnection', { params });
    expect([response.status, response.body.data]).toEqual([200, { channel: 'facebook' }]);
    expect(await shown(owner, 'facebook')).toMatchObject({ page: { state: 'erasing' } });
    const left = await connections.find({ accountId: owner.accountId, channel: 'facebook' });
    expect(left?.sealedToken).toBeUndefined();
    expect((await call(owner, 'removeConnection', { params })).status).toBe(200);
  });

  test('is possible under a plan without the inbox', async () => {
    const owner = await ownersBrowser();
    await connect(owner, 'facebook', [shopPage(owner.accountId, 'facebook').id]);
    const accounts = { ...context.accounts, find: async () => undefined };
    await host.withContext({ ...context, accounts }, async () => {
      expect((await call(owner, 'removeConnection', { params })).status).toBe(200);
    });
  });

  test('of another account, or of an unknown social network, gets the same 404 response', async () => {
    const [owner, other] = [await ownersBrowser(), await ownersBrowser()];
    await connect(owner, 'facebook', [shopPage(owner.accountId, 'facebook').id]);
    const missing = await call(other, 'removeConnection', { params });
    const unknown = await call(other, 'removeConnection', { params: { channel: 'orkut' } });
    expect([missing.status, unknown.status]).toEqual([404, 404]);
    expect(missing.body).toEqual(unknown.body);
    expect(await shown(owner, 'facebook')).toMatchObject({ page: { state: 'connected' } });
  });

  test('gets 409 if the connection keeps changing concurrently', async () => {
    const owner = await ownersBrowser();
    const id = { accountId: owner.accountId, channel: 'facebook' } as const;
    await connect(owner, 'facebook', [shopPage(owner.accountId, 'facebook').id]);
    const transact: typeof context.table.transact = async (actions) => {
      const current = await connections.find(id);
      if (current) await connections.save({ ...current, leasedUntil: context.clock.now() + 60_000 });
      return context.table.transact(actions);
    };
    await host.withContext({ ...context, table: { ...context.table, transact } }, async () => {
      const { status, body } = await call(owner, 'removeConnection', { params });
      expect([status, body.error?.code]).toEqual([409, 'CONNECTION_CHANGING']);
    });
  });
});

test('connecting a page leaves no code, state, cookie or token in log lines, responses, addresses or, unencrypted, in rows', async () => {
  const lines: unknown[] = [];
  const logger = new (class extends Logger {
    protected override printLog(...[, line]: Parameters<Logger['printLog']>) {
      lines.push(line);
    }
  })({ logLevel: 'DEBUG' });
  const seen: string[] = [];
  const secrets: string[] = [];
  await host.withContext({ ...context, logger }, async () => {
    const owner = await ownersBrowser();
    const pages = [shopPage(owner.accountId, 'facebook'), shopPage(testIds.next(), 'facebook')];
    const dialog = await start(owner, 'facebook');
    secrets.push(owner.browser.cookie(dashboard, 'consent-facebook') ?? '');
    const back = await consent(
      dialog.url,
      pages.map(({ id }) => id),
    );
    const { searchParams } = new URL(back);
    secrets.push(searchParams.get('code') ?? '', searchParams.get('state') ?? '');
    const arrived = await owner.browser.visit(back);
    seen.push(arrived.url, arrived.text);
    const row = await context.table.get(consentKey(owner.given.digest, 'facebook'));
    expect((row as { choice: { pages: object[] } }).choice.pages).toHaveLength(2);
    seen.push((await call(owner, 'listConnections')).text, JSON.stringify(row));
    const response = await call(owner, 'chooseConnection', { params, body: { pageId: pages[0]?.id } });
    expect(response.status).toBe(200);
    seen.push(response.text, (await call(owner, 'listConnections')).text);
    // A code that the social network rejects.
    const again = new URL(await consent((await start(owner, 'facebook')).url, []));
    again.searchParams.set('code', 'canary-of-a-code');
    secrets.push('canary-of-a-code', again.searchParams.get('state') ?? '');
    expect(await arrive(owner, again.href)).toBe('rejected');
    secrets.push(...pages.flatMap(({ id }) => social.world.page(id)?.tokens ?? []));
  });
  const rows = JSON.stringify([...(await storedItems(host.service.environment))]);
  const log = JSON.stringify(lines);
  for (const operation of ['startConnection', 'completeConnection', 'chooseConnection'])
    expect(log).toContain(operation);
  expect(secrets.length).toBeGreaterThan(6);
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(8);
    for (const place of [log, rows, ...seen]) expect(place).not.toContain(secret);
  }
});
