/** Which account a user gets at the first log-in, through the pages of the local identity provider. */
import { describe, expect, test } from 'vitest';
import { invite } from '../../shared/domain/sessions/invitation.ts';
import { loggingIn } from '../support/logging-in.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { testBrowser } from '../support/test-browser.ts';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests({ clock: stillClock(), hasIdentity: true });

const { dashboard, homeOf, logIn, loginUrl, provider, session, newEmail } = loggingIn(host);

describe('signing up', () => {
  const signUp = (rules: Record<string, string>, work: () => Promise<void>) =>
    host.withEnvironment({ ...host.service.environment, ...rules }, work);

  test('can be closed to new users, while users who have an account can still log in', async () => {
    const known = newEmail();
    await logIn(testBrowser(), known);
    await signUp({ SIGN_UP: 'closed' }, async () => {
      const browser = testBrowser();
      expect(homeOf((await logIn(browser, newEmail(), '?provider=Google')).url)).toBe('/account/?problem=closed');
      expect(browser.cookie(dashboard, 'session')).toBeUndefined();
      expect(homeOf((await logIn(testBrowser(), known, '?provider=Google')).url)).toBe('/account/');
    });
  });

  test.each([
    ['SIGN_UP', 'opne'],
    ['SIGN_UP_CREDITS', 'many'],
    ['SIGN_UP_CREDITS', '-1'],
  ])('is closed while the setting %s is “%s”', async (name, value) => {
    await signUp({ [name]: value }, async () => {
      const browser = testBrowser();
      expect(homeOf((await logIn(browser, newEmail(), '?provider=Google')).url)).toBe('/account/?problem=failed');
      expect(browser.cookie(dashboard, 'session')).toBeUndefined();
    });
  });

  test('by invitation admits only the invited user, and only once', async () => {
    const email = newEmail();
    await invite(host.service.context, email.toUpperCase());
    await signUp({ SIGN_UP: 'invitation' }, async () => {
      expect(homeOf((await logIn(testBrowser(), newEmail(), '?provider=Google')).url)).toBe(
        '/account/?problem=not-invited',
      );
      expect(homeOf((await logIn(testBrowser(), email, '?provider=Google')).url)).toBe('/account/');
      provider.users.addWithPassword({ email, name: 'Other' }, 'password');
      const browser = testBrowser();
      const page = await browser.visit(loginUrl());
      const other = await browser.submit(`${page.url}/password`, { email, password: 'password' });
      expect(homeOf(other.url)).toBe('/account/?problem=not-invited');
    });
  });

  test('takes over the account that an operator created, with its contents, but only with a verified address', async () => {
    const { accountId } = await host.account({ credits: 7 });
    const email = newEmail();
    await invite(host.service.context, email, { accountId });
    provider.users.addWithPassword({ email, name: 'Impostor', isEmailVerified: false }, 'password');
    const impostor = testBrowser();
    const page = await impostor.visit(loginUrl());
    const rejected = await impostor.submit(`${page.url}/password`, { email, password: 'password' });
    expect(homeOf(rejected.url)).toBe('/account/?problem=email-unverified');
    const owner = testBrowser();
    await logIn(owner, email);
    expect((await session(owner)).accountId).toBe(accountId);
    expect(await host.standing(accountId)).toMatchObject({ balance: 7 });
  });
});
