/** The owner of a page authorizes the service in the dialogs of the sandbox. */
import { describe, expect, test } from 'vitest';
import { channels } from '../../../shared/contracts/channels.ts';
import { metaLogin } from '../../../shared/gateways/meta/meta-login.ts';
import type { PageAccess } from '../../../shared/gateways/social-network.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { testIds } from '../../support/test-table.ts';
import { appSecret, connectedShop, faultIn, useSandbox } from './meta-scene.ts';

const redirectUrl = 'https://dashboard.example/connected';

const meta = useSandbox();

const loginWith = (secret = appSecret, sandboxUrl = meta.sandbox.url) =>
  metaLogin({
    sandboxUrl: () => sandboxUrl,
    version: () => 'v24.0',
    appId: () => 'the-app',
    appSecret: async () => secret,
    clock: systemClock,
  });

/** The query with which a browser returns after a button of the dialog is pressed. */
async function pressed(
  authorizeUrl: string,
  form: Record<string, string> | [string, string][],
): Promise<URLSearchParams> {
  const response = await fetch(authorizeUrl, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  const location = response.headers.get('location') ?? '';
  expect(location).toContain(redirectUrl);
  return new URL(location).searchParams;
}

describe.for(channels)('on %s,', (channel) => {
  const where = { channel, network: 'sandbox' } as const;
  const dialog = () => loginWith().authorizeUrl(where, { redirectUrl, state: 'the-state' });

  test('a log-in code is exchanged for a token of only the chosen page', async () => {
    const { page } = connectedShop(meta.sandbox, channel, testIds.next());
    const url = dialog();
    expect(await (await fetch(url)).text()).toContain(`value="${page.id}"`);
    const returned = await pressed(url, { action: 'allow', pageId: page.id });
    expect(returned.get('state')).toBe('the-state');
    const code = returned.get('code') ?? '';
    const [granted, ...others] = await loginWith().pagesOf(where, { redirectUrl, code });
    expect(others).toEqual([]);
    if (!granted) throw new Error('nothing was granted');
    expect(await meta.network.page({ ...where, accessToken: granted.accessToken })).toMatchObject({ pageId: page.id });
    expect(granted.page?.pageId ?? page.id).toBe(page.id);
    const again = loginWith().pagesOf(where, { redirectUrl, code });
    expect(await faultIn(again)).toMatchObject({ reason: 'rejected' });
  });

  test('a log-in code is not accepted with another secret or redirect URL', async () => {
    const { page } = connectedShop(meta.sandbox, channel, testIds.next());
    const code = (await pressed(dialog(), { action: 'allow', pageId: page.id })).get('code') ?? '';
    const stolen = loginWith('another').pagesOf(where, { redirectUrl, code });
    expect(await faultIn(stolen)).toMatchObject({ reason: 'rejected' });
    const elsewhere = loginWith().pagesOf(where, { redirectUrl: 'https://other.example', code });
    expect(await faultIn(elsewhere)).toMatchObject({ reason: 'rejected' });
  });

  test('an owner who cancels the log-in grants nothing', async () => {
    const returned = await pressed(dialog(), { action: 'cancel' });
    expect(Object.fromEntries(returned)).toMatchObject({ error: 'access_denied', state: 'the-state' });
  });

  test('an owner without a page can create a sandbox shop with one', async () => {
    const code = (await pressed(dialog(), { action: 'allow', pageId: 'new' })).get('code') ?? '';
    const [granted] = await loginWith().pagesOf(where, { redirectUrl, code });
    const { pageId } = await meta.network.page({ ...where, accessToken: granted?.accessToken ?? '' });
    expect(meta.sandbox.world.people({ id: pageId }).length).toBeGreaterThan(0);
  });
});

test('a log-in at the real Facebook and Instagram uses their own URLs and asks for the required permissions', async () => {
  const url = (channel: (typeof channels)[number]) =>
    loginWith().authorizeUrl({ channel, network: 'meta' }, { redirectUrl, state: 's' });
  const scope = (text: string) => new URL(text).searchParams.get('scope')?.split(',');
  expect(url('instagram')).toMatch(/^https:\/\/www\.instagram\.com\/oauth\/authorize\?client_id=the-app&/);
  expect(scope(url('instagram'))).toContain('instagram_business_manage_messages');
  expect(url('facebook')).toMatch(/^https:\/\/www\.facebook\.com\/v24\.0\/dialog\/oauth\?client_id=the-app&/);
  expect(scope(url('facebook'))).toContain('pages_messaging');
});

test('Facebook’s log-in lets an owner grant several pages at once, or none', async () => {
  const where = { channel: 'facebook', network: 'sandbox' } as const;
  const pages = [1, 2].map(() => connectedShop(meta.sandbox, 'facebook', testIds.next()).page);
  const grantedOf = async (ids: readonly string[]) => {
    const url = loginWith().authorizeUrl(where, { redirectUrl, state: 's' });
    const returned = await pressed(url, [['action', 'allow'], ...ids.map((id): [string, string] => ['pageId', id])]);
    return loginWith().pagesOf(where, { redirectUrl, code: returned.get('code') ?? '' });
  };
  const granted = await grantedOf(pages.map(({ id }) => id));
  expect(granted.map(({ page }) => page)).toEqual(pages.map(({ id, name }) => ({ pageId: id, name })));
  for (const { page, ...token } of granted)
    expect(await meta.network.page({ ...where, ...token })).toMatchObject(page ?? {});
  expect(await grantedOf([])).toEqual([]);
});

describe('the sandbox’s pages for an owner', () => {
  const pagesOf = async (owner: string, secret = appSecret) => {
    const response = await fetch(`${meta.sandbox.url}/sandbox/pages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: new URLSearchParams({ owner }),
    });
    const { pages = [] } = (await response.json()) as { pages?: Omit<PageAccess, 'network'>[] };
    return { status: response.status, pages: pages.map((page) => ({ network: 'sandbox' as const, ...page })) };
  };

  test('are one page of each channel, and the same ones on every request', async () => {
    const owner = testIds.next();
    const [first, again, other] = [await pagesOf(owner), await pagesOf(owner), await pagesOf(testIds.next())];
    expect(first.pages.map(({ channel }) => channel)).toEqual(channels);
    expect(again).toEqual(first);
    expect(other.pages.map(({ pageId }) => pageId)).not.toEqual(first.pages.map(({ pageId }) => pageId));
    for (const { pageId, ...access } of first.pages) expect((await meta.network.page(access)).pageId).toBe(pageId);
  });

  test('get new tokens once the old ones have expired', async () => {
    const [page] = (await pagesOf(testIds.next())).pages;
    const known = meta.sandbox.world.page(page?.pageId ?? '');
    if (!page || !known) throw new Error('no page');
    meta.sandbox.world.revoke(known);
    const ended = meta.sandbox.world.grant(known, systemClock.now() - 61 * 24 * 3_600_000);
    expect(await faultIn(meta.network.posts({ ...page, accessToken: ended }))).toMatchObject({ reason: 'revoked' });
    const [renewed] = (await pagesOf(known.owner)).pages;
    if (!renewed) throw new Error('no page');
    expect((await meta.network.posts(renewed)).items).toHaveLength(3);
  });

  test('get new tokens after the owner’s access has been revoked', async () => {
    const owner = testIds.next();
    const [page] = (await pagesOf(owner)).pages;
    const revoked = meta.sandbox.world.page(page?.pageId ?? '');
    if (!page || !revoked) throw new Error('no page');
    meta.sandbox.world.revoke(revoked);
    expect(await faultIn(meta.network.posts(page))).toMatchObject({ reason: 'revoked' });
    const [renewed] = (await pagesOf(owner)).pages;
    if (!renewed) throw new Error('no page');
    expect((await meta.network.posts(renewed)).items).toHaveLength(3);
  });

  test('are not returned without the secret or an owner’s name', async () => {
    expect([(await pagesOf('x', 'another')).status, (await pagesOf('')).status]).toEqual([401, 404]);
  });
});
