/**
 * Connecting a page in the dashboard: through the social network's dialog and back, and every way in which this fails.
 */
import { describe, expect, test } from 'vitest';
import { channels } from '../../shared/contracts/channels.ts';
import { sessionRequestsPerMinute } from '../../shared/contracts/limits.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { admitSession } from '../../shared/domain/sessions/admit-session.ts';
import { connecting, type OwnersBrowser } from '../support/connecting.ts';
import { eventually } from '../support/eventually.ts';
import { RecordingLogger } from '../support/recording-logger.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { testBrowser } from '../support/test-browser.ts';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests({ clock: stillClock() });

const { arrive, call, connect, consent, dashboard, ownersBrowser, shopPage, shown, start, startUrl, withoutApps } =
  connecting(host);
const { context, social } = host.service;
const connections = connectionStore(context.table);

const nothing = { page: null, choice: null };

/** A browser to which the dialog has just responded, but which has not yet followed the redirect. */
async function returning(owner: OwnersBrowser) {
  const page = shopPage(owner.accountId, 'instagram');
  return consent((await start(owner, 'instagram')).url, [page.id]);
}

describe.each(channels)('a page on %s', (channel) => {
  test('is connected by its owner’s consent, and its inbox is copied', async () => {
    const owner = await ownersBrowser();
    const page = shopPage(owner.accountId, channel);
    expect(await shown(owner, channel)).toMatchObject({ isOffered: true, ...nothing });
    expect(await connect(owner, channel, [page.id])).toBe('connected');
    const synced = await eventually('the first synchronization', async () => {
      const { page: found } = (await shown(owner, channel)) as { page: { syncedAt: string | null } };
      return found.syncedAt === null ? undefined : found;
    });
    expect(synced).toMatchObject({ name: page.name, username: page.username, state: 'connected', fault: null });
  });

  test('that is already connected gets a new token, even if the consent grants other pages too', async () => {
    const owner = await ownersBrowser();
    const page = shopPage(owner.accountId, channel);
    await connect(owner, channel, [page.id]);
    const before = await connections.find({ accountId: owner.accountId, channel });
    const also = channel === 'facebook' ? [shopPage('another shop', channel).id] : [];
    expect(await connect(owner, channel, [...also, page.id])).toBe('connected');
    const after = await connections.find({ accountId: owner.accountId, channel });
    expect(after?.pageId).toBe(page.id);
    expect(after?.sealedToken).not.toBe(before?.sealedToken);
  });

  test('is not connected if its owner cancels the consent', async () => {
    const owner = await ownersBrowser();
    const back = await consent((await start(owner, channel)).url, [], 'cancel');
    expect(await arrive(owner, back)).toBe('canceled');
    expect(await shown(owner, channel)).toMatchObject(nothing);
  });

  test('prevents a second page of the same channel from being connected', async () => {
    const owner = await ownersBrowser();
    await connect(owner, channel, [shopPage(owner.accountId, channel).id]);
    expect(await connect(owner, channel, [shopPage('a rival', channel).id])).toBe('other-page');
  });

  test('cannot be taken over by another account', async () => {
    const [first, second] = [await ownersBrowser(), await ownersBrowser()];
    const page = shopPage(first.accountId, channel);
    await connect(first, channel, [page.id]);
    expect(await connect(second, channel, [page.id])).toBe('other-account');
    expect(await shown(second, channel)).toMatchObject(nothing);
  });
});

describe('connecting a page is refused', () => {
  const refused = async (owner: Pick<OwnersBrowser, 'browser'>, headers?: Record<string, string>) => {
    const page = await start(owner, 'instagram', headers as { 'sec-fetch-site': string });
    expect(page.trail.some((url) => url.startsWith(social.url))).toBe(false);
    return page.url.slice(dashboard.length);
  };

  test('to a request from another site', async () => {
    const owner = await ownersBrowser();
    const outcome = '/account/account?channel=instagram&outcome=failed#connections';
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(await refused(owner, { 'sec-fetch-site': site })).toBe(outcome);
    expect(await refused(owner, { origin: 'https://evil.example' })).toBe(outcome);
    expect(await refused(owner, {})).toBe(outcome);
  });

  test('without a session', async () => {
    expect(await refused({ browser: testBrowser() })).toBe('/account/?problem=expired');
  });

  test('under a plan without the inbox', async () => {
    const { accountId } = await host.account();
    const owner = await ownersBrowser(accountId);
    expect(await refused(owner)).toBe('/account/account?channel=instagram&outcome=not-in-plan#connections');
    expect((await call(owner, 'listConnections')).body.data).toMatchObject({ isInPlan: false });
  });

  test('on a stage without an app at the social network', async () => {
    const owner = await ownersBrowser();
    await host.withEnvironment(withoutApps, async () => {
      expect(await refused(owner)).toBe('/account/account?channel=instagram&outcome=not-offered#connections');
      expect(await shown(owner, 'facebook')).toMatchObject({ isOffered: false });
    });
  });

  test('for an unknown social network', async () => {
    const { browser } = await ownersBrowser();
    const headers = { 'sec-fetch-site': 'same-origin' };
    const { url } = await browser.visit(startUrl('orkut'), { headers });
    expect(url).toBe(`${dashboard}/account/account?outcome=not-offered#connections`);
  });

  test('to a session that makes too many requests', async () => {
    const owner = await ownersBrowser();
    const now = context.clock.now();
    const admitted = await Promise.all(
      Array.from({ length: sessionRequestsPerMinute }, () => admitSession(context.table, owner.given.digest, now)),
    );
    expect(new Set(admitted.map(({ status }) => status))).toEqual(new Set(['admitted']));
    expect(await refused(owner)).toBe('/account/account?channel=instagram&outcome=too-many#connections');
  });

  test('on a service without a dashboard', async () => {
    await host.withEnvironment({ ...host.service.environment, DASHBOARD_URL: 'none' }, async () => {
      for (const step of ['start', 'callback']) {
        const response = await fetch(`${host.url}/account/api/connections/instagram/${step}`, { redirect: 'manual' });
        expect(response.status).toBe(404);
      }
    });
  });
});

describe('a consent callback', () => {
  test('takes effect once, however often it arrives concurrently', async () => {
    const owner = await ownersBrowser();
    const back = await returning(owner);
    const cookie = owner.browser.cookie(dashboard, 'consent-instagram') ?? '';
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => arrive(owner, back)));
    expect(outcomes.toSorted()).toEqual(['connected', 'expired', 'expired', 'expired', 'expired']);
    owner.browser.setCookie(dashboard, 'consent-instagram', cookie);
    expect(await arrive(owner, back)).toBe('expired');
  });

  test('that arrives in another browser of the same account connects nothing', async () => {
    const owner = await ownersBrowser();
    const other = await ownersBrowser(owner.accountId);
    const back = await returning(owner);
    expect(await arrive(other, back)).toBe('expired');
    other.browser.setCookie(dashboard, 'consent-instagram', owner.browser.cookie(dashboard, 'consent-instagram') ?? '');
    expect(await arrive(other, back)).toBe('expired');
    expect(await shown(owner, 'instagram')).toMatchObject(nothing);
    // The consent that the owner began still works.
    expect(await arrive(owner, back)).toBe('connected');
  });

  test('that an attacker sends to a victim does not connect the attacker’s page', async () => {
    const [attacker, victim] = [await ownersBrowser(), await ownersBrowser()];
    const own = await returning(victim);
    expect(await arrive(victim, await returning(attacker))).toBe('expired');
    expect(await shown(victim, 'instagram')).toMatchObject(nothing);
    expect(await arrive(victim, own)).toBe('connected');
    expect(await connections.find({ accountId: victim.accountId, channel: 'instagram' })).toMatchObject({
      pageId: shopPage(victim.accountId, 'instagram').id,
    });
  });

  test('depends only on its state, which no one but the social network and this browser knows', async () => {
    const [attacker, victim] = [await ownersBrowser(), await ownersBrowser()];
    const [stolen, own] = [new URL(await returning(attacker)), new URL(await returning(victim))];
    // Networks bind a code to the app and the redirect URL, which are the same for all users: whoever knew the state
    // could use any code.
    stolen.searchParams.set('state', own.searchParams.get('state') ?? '');
    expect(await arrive(attacker, stolen.href)).toBe('expired');
    expect(await arrive(victim, stolen.href)).toBe('connected');
    expect(await connections.find({ accountId: victim.accountId, channel: 'instagram' })).toMatchObject({
      pageId: shopPage(attacker.accountId, 'instagram').id,
    });
  });

  test.each([
    ['an unknown state', { state: 'ff'.repeat(32) }, 'expired'],
    ['no state', { state: '' }, 'expired'],
    ['an unknown code', { code: 'AQ-made-up' }, 'rejected'],
    ['no code', { code: '' }, 'failed'],
  ] as const)('with %s connects nothing', async (_, change, expected) => {
    const owner = await ownersBrowser();
    const back = new URL(await returning(owner));
    for (const [name, value] of Object.entries(change)) back.searchParams.set(name, value);
    expect(await arrive(owner, back.href)).toBe(expected);
    expect(await shown(owner, 'instagram')).toMatchObject(nothing);
  });

  test('without the consent cookie, or with that of another channel, connects nothing', async () => {
    const owner = await ownersBrowser();
    const back = await returning(owner);
    const cookie = owner.browser.cookie(dashboard, 'consent-instagram') ?? '';
    await start(owner, 'facebook');
    const other = owner.browser.cookie(dashboard, 'consent-facebook') ?? '';
    for (const value of ['', other]) {
      owner.browser.setCookie(dashboard, 'consent-instagram', value);
      expect(await arrive(owner, back)).toBe('expired');
    }
    owner.browser.setCookie(dashboard, 'consent-instagram', cookie);
    expect(await arrive(owner, back)).toBe('connected');
  });

  test('at the address of another channel connects nothing', async () => {
    const owner = await ownersBrowser();
    const back = await returning(owner);
    await start(owner, 'facebook');
    expect(await arrive(owner, back.replace('/instagram/', '/facebook/'))).toBe('expired');
    expect(await arrive(owner, back)).toBe('connected');
  });

  test('must arrive within ten minutes', async () => {
    const [inTime, late] = [await ownersBrowser(), await ownersBrowser()];
    const backs = [await returning(inTime), await returning(late)] as const;
    host.clock.advance(599_000);
    expect(await arrive(inTime, backs[0])).toBe('connected');
    host.clock.advance(1000);
    expect(await arrive(late, backs[1])).toBe('expired');
    expect(await shown(late, 'instagram')).toMatchObject(nothing);
  });

  test('connects nothing after the session has ended', async () => {
    const owner = await ownersBrowser();
    const back = await returning(owner);
    await call(owner, 'logOut');
    expect(await arrive(owner, back)).toBe('/account/?problem=expired');
    const again = await ownersBrowser(owner.accountId);
    expect(await arrive(again, back)).toBe('expired');
    expect(await shown(again, 'instagram')).toMatchObject(nothing);
  });

  test('connects nothing after the plan has lost the inbox', async () => {
    const owner = await ownersBrowser();
    const back = await returning(owner);
    const accounts = {
      ...context.accounts,
      find: async (id: string) => {
        const found = await context.accounts.find(id);
        return found && { ...found, features: [] };
      },
    };
    await host.withContext({ ...context, accounts }, async () => {
      expect(await arrive(owner, back)).toBe('not-in-plan');
    });
    expect(await shown(owner, 'instagram')).toMatchObject(nothing);
  });

  test('reports that the social network is down, and the owner can start again', async () => {
    const owner = await ownersBrowser();
    const back = await returning(owner);
    social.mood = 'down';
    expect(await arrive(owner, back)).toBe('network-down');
    social.mood = 'works';
    expect(await shown(owner, 'instagram')).toMatchObject(nothing);
    expect(await arrive(owner, await returning(owner))).toBe('connected');
  });

  test('that crashes before the page is saved is logged and leaves nothing behind, and the owner can start again', async () => {
    const owner = await ownersBrowser();
    const back = await returning(owner);
    const logger = new RecordingLogger();
    const transact = async () => {
      throw new Error('the table is away');
    };
    await host.withContext({ ...context, logger, table: { ...context.table, transact } }, async () => {
      expect(await arrive(owner, back)).toBe('failed');
    });
    expect(logger.errors).toMatchObject([{ operation: 'completeConnection', error: { message: 'the table is away' } }]);
    expect(await shown(owner, 'instagram')).toMatchObject(nothing);
    expect(await arrive(owner, back)).toBe('expired');
    expect(await arrive(owner, await returning(owner))).toBe('connected');
  });
});
