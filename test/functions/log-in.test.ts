/** Logging in, confirming and logging out, through the pages of the local identity provider. */
import { describe, expect, test } from 'vitest';
import { callAsPage } from '../support/given-session.ts';
import { loggingIn } from '../support/logging-in.ts';
import { RecordingLogger } from '../support/recording-logger.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { type TestBrowser, testBrowser } from '../support/test-browser.ts';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests({ clock: stillClock(), hasIdentity: true });

const { asGoogle, callbackUrl, dashboard, homeOf, isKnownToProvider, logIn, loginUrl, provider, session, newEmail } =
  loggingIn(host);
const confirmUrl = () => `${dashboard}/account/api/confirm?returnTo=/account/tokens`;
const fromPage = { headers: { 'sec-fetch-site': 'same-origin' } };

describe('logging in', () => {
  test('through Google creates an account with the bonus and ends on the requested page', async () => {
    const [browser, email] = [testBrowser(), newEmail()];
    const page = await logIn(browser, email);
    expect(homeOf(page.url)).toBe('/account/tokens');
    expect(page.trail.some((url) => url.startsWith(`${provider.url}/logout?`))).toBe(true);
    const found = await session(browser);
    expect(found).toMatchObject({ status: 200, email, kind: 'social', provider: 'Google' });
    const account = await host.service.context.accounts.find(String(found.accountId));
    expect(account).toMatchObject({ balance: 100, email });
    await host.audit();
  });

  test('a second time opens the same account in a new session and grants no second bonus', async () => {
    const [browser, email] = [testBrowser(), newEmail()];
    await logIn(browser, email);
    const [first, firstCookie] = [await session(browser), browser.cookie(dashboard, 'session')];
    await logIn(browser, email);
    const second = await session(browser);
    expect(second.accountId).toBe(first.accountId);
    expect(second.sessionId).not.toBe(first.sessionId);
    expect(await host.standing(String(first.accountId))).toMatchObject({ balance: 100 });
    const old = await callAsPage(host.url, 'getSession', { cookie: `session=${firstCookie}` });
    expect(old.status).toBe(401);
  });

  test('with the right password opens a session, and with a wrong one is rejected', async () => {
    const [browser, email] = [testBrowser(), newEmail()];
    provider.users.addWithPassword({ email, name: 'Ana' }, 'right horse');
    const page = await browser.visit(loginUrl('?returnTo=/account/'));
    const form = `${page.url}/password`;
    const wrong = await browser.submit(form, { email, password: 'wrong horse' });
    expect([wrong.status, wrong.url]).toEqual([401, form]);
    const right = await browser.submit(form, { email, password: 'right horse' });
    expect(homeOf(right.url)).toBe('/account/');
    expect(await session(browser)).toMatchObject({ kind: 'password', provider: 'password', confirmedUntil: null });
  });

  test('leaves no session at the identity provider that would log the browser in silently', async () => {
    const browser = testBrowser();
    await logIn(browser, newEmail());
    expect(isKnownToProvider(browser)).toBe(false);
    const next = await browser.visit(loginUrl());
    expect(next.url.startsWith(`${provider.url}/interaction/`)).toBe(true);
  });

  test.each([
    'https://evil.example/account/',
    '//evil.example/account/',
    '/\\evil.example/account/',
    '/account/../evil',
    '/account/api/logout',
    '/account/%2e%2e/x',
    'javascript:alert(1)',
    '/other',
    '',
  ])('never redirects to “%s”', async (requested) => {
    const browser = testBrowser();
    const page = await logIn(browser, newEmail(), `?provider=Google&returnTo=${encodeURIComponent(requested)}`);
    expect(homeOf(page.url)).toBe('/account/');
  });
});

describe('a log-in callback', () => {
  const begun = async (browser: TestBrowser, email = newEmail()) =>
    asGoogle(browser, await browser.visit(loginUrl('?provider=Google')), email, callbackUrl);

  test('takes effect once', async () => {
    const browser = testBrowser();
    const login = await browser.visit(loginUrl('?provider=Google'));
    const secret = browser.cookie(dashboard, 'login') ?? '';
    const page = await asGoogle(browser, login, newEmail(), callbackUrl);
    await browser.visit(page.url);
    const thief = testBrowser();
    thief.setCookie(dashboard, 'login', secret);
    const again = await thief.visit(page.url);
    expect(homeOf(again.url)).toBe('/account/?problem=expired');
    expect(thief.cookie(dashboard, 'session')).toBeUndefined();
  });

  test('that arrives in another browser logs no user in', async () => {
    const attacker = await begun(testBrowser());
    const victim = testBrowser();
    expect(homeOf((await victim.visit(attacker.url)).url)).toBe('/account/?problem=expired');
    // The attack fails even if the victim is logging in at this moment.
    await victim.visit(loginUrl());
    const secret = victim.cookie(dashboard, 'login');
    expect(homeOf((await victim.visit(attacker.url)).url)).toBe('/account/?problem=expired');
    expect(victim.cookie(dashboard, 'login')).toBe(secret);
    expect(victim.cookie(dashboard, 'session')).toBeUndefined();
  });

  test('with the code of another log-in is rejected', async () => {
    const browser = testBrowser();
    const other = new URL((await begun(testBrowser())).url);
    const own = new URL((await begun(browser)).url);
    own.searchParams.set('code', other.searchParams.get('code') ?? '');
    expect(homeOf((await browser.visit(own.href)).url)).toBe('/account/?problem=failed');
    expect(browser.cookie(dashboard, 'session')).toBeUndefined();
    expect(isKnownToProvider(browser)).toBe(false);
  });

  test('that fails unexpectedly is logged, and leaves neither a session nor a log-in at the identity provider', async () => {
    const browser = testBrowser();
    const back = await begun(browser);
    expect(isKnownToProvider(browser)).toBe(true);
    const { context } = host.service;
    const logger = new RecordingLogger();
    const transact = async () => {
      throw new Error('the table is away');
    };
    await host.withContext({ ...context, logger, table: { ...context.table, transact } }, async () => {
      expect(homeOf((await browser.visit(back.url)).url)).toBe('/account/?problem=failed');
    });
    expect(logger.errors).toMatchObject([{ operation: 'completeLogin', error: { message: 'the table is away' } }]);
    expect(browser.cookie(dashboard, 'session')).toBeUndefined();
    expect(isKnownToProvider(browser)).toBe(false);
  });

  test('must arrive within ten minutes', async () => {
    const [inTime, late] = [testBrowser(), testBrowser()];
    const pages = [await inTime.visit(loginUrl('?provider=Google')), await late.visit(loginUrl('?provider=Google'))];
    host.clock.advance(599_000);
    const first = await asGoogle(inTime, pages[0] ?? { url: '' }, newEmail());
    expect(homeOf(first.url)).toBe('/account/');
    host.clock.advance(1000);
    const second = await asGoogle(late, pages[1] ?? { url: '' }, newEmail());
    expect(homeOf(second.url)).toBe('/account/?problem=expired');
    expect(isKnownToProvider(late)).toBe(false);
  });

  test('without a code reports that the owner canceled', async () => {
    const browser = testBrowser();
    const page = new URL((await begun(browser)).url);
    page.searchParams.delete('code');
    page.searchParams.set('error', 'access_denied');
    expect(homeOf((await browser.visit(page.href)).url)).toBe('/account/?problem=canceled');
  });
});

test('a session that an attacker put into a victim’s browser does not become the victim’s session when the victim logs in', async () => {
  const [attacker, victim] = [testBrowser(), testBrowser()];
  await logIn(attacker, newEmail());
  const planted = attacker.cookie(dashboard, 'session') ?? '';
  victim.setCookie(dashboard, 'session', planted);
  const email = newEmail();
  await logIn(victim, email);
  expect(victim.cookie(dashboard, 'session')).not.toBe(planted);
  expect(await session(victim)).toMatchObject({ email });
  expect((await callAsPage(host.url, 'getSession', { cookie: `session=${planted}` })).status).toBe(401);
});

describe('the confirmation of a session', () => {
  /** A session that began 20 minutes ago. */
  async function stale(email = newEmail()) {
    const browser = testBrowser();
    await logIn(browser, email);
    host.clock.advance(1_200_000);
    return { browser, email, before: await session(browser), cookie: browser.cookie(dashboard, 'session') };
  }

  test('replaces the session with one that counts as confirmed', async () => {
    const { browser, email, before, cookie } = await stale();
    const page = await browser.visit(confirmUrl(), fromPage);
    const done = await asGoogle(browser, page, email);
    expect(homeOf(done.url)).toBe('/account/tokens');
    const after = await session(browser);
    expect(after.sessionId).not.toBe(before.sessionId);
    expect(Date.parse(String(after.confirmedUntil)) - host.clock.now()).toBeGreaterThan(590_000);
    expect((await callAsPage(host.url, 'getSession', { cookie: `session=${cookie}` })).status).toBe(401);
  });

  test('asks for the credentials even if the identity provider still knows the browser', async () => {
    const { browser, email } = await stale();
    // A log-in whose browser never returned leaves the provider's own session behind.
    await asGoogle(browser, await browser.visit(loginUrl('?provider=Google')), email, callbackUrl);
    const asked = await browser.visit(confirmUrl(), fromPage);
    expect(asked.url.startsWith(`${provider.url}/interaction/`)).toBe(true);
  });

  test('without entering credentials, by removing `prompt` from the URL, does not count', async () => {
    const { browser, email, before } = await stale();
    await asGoogle(browser, await browser.visit(loginUrl('?provider=Google')), email, callbackUrl);
    host.clock.advance(60_000);
    const asked = new URL((await browser.visit(confirmUrl(), { ...fromPage, until: `${provider.url}/oauth2/` })).url);
    expect(asked.searchParams.get('prompt')).toBe('login');
    asked.searchParams.delete('prompt');
    const silent = await browser.visit(asked.href);
    expect(silent.trail.some((url) => url.includes('/interaction/'))).toBe(false);
    expect(homeOf(silent.url)).toBe('/account/tokens?problem=not-recent');
    expect(await session(browser)).toMatchObject({ sessionId: before.sessionId });
  });

  test('cannot be started from another site or without a session', async () => {
    const { browser } = await stale();
    const forged = await browser.visit(confirmUrl(), { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(homeOf(forged.url)).toBe('/account/tokens?problem=failed');
    const stranger = await testBrowser().visit(confirmUrl(), fromPage);
    expect(homeOf(stranger.url)).toBe('/account/?problem=expired');
  });
});

test('logging out deletes the browser’s session at the service and at the identity provider', async () => {
  const browser = testBrowser();
  await logIn(browser, newEmail());
  const response = await callAsPage(host.url, 'logOut', { cookie: browser.header(dashboard) });
  const { logoutUrl } = response.body.data as { logoutUrl: string };
  expect(homeOf((await browser.visit(logoutUrl)).url)).toBe('/account/');
  expect((await session(browser)).status).toBe(401);
});

test('a service without a dashboard offers no log-in', async () => {
  await host.withEnvironment({ ...host.service.environment, DASHBOARD_URL: 'none' }, async () => {
    for (const path of ['login', 'callback', 'confirm', 'home']) {
      expect((await fetch(`${host.url}/account/api/${path}`, { redirect: 'manual' })).status).toBe(404);
    }
  });
});
