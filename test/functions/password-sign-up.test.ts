/** Signing up with a password, on the page of the local identity provider. */
import { expect, test } from 'vitest';
import { callAsPage } from '../support/given-session.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { testBrowser } from '../support/test-browser.ts';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests({ clock: stillClock(), hasIdentity: true });

test('an e-mail address that signs up with a password and then through Google gets one bonus', async () => {
  const { dashboardUrl } = host.service.context.settings;
  const person = { email: 'ana@example.com', password: 'a long password', name: 'Ana' };
  const logInBy = async (way: 'sign-up' | 'google') => {
    const browser = testBrowser();
    const page = await browser.visit(`${dashboardUrl}/account/api/login`);
    const { status } = await browser.submit(`${page.url}/${way}`, person);
    return { status, cookie: browser.header(dashboardUrl) };
  };
  const balanceOf = async (cookie: string) => {
    const { body } = await callAsPage(host.url, 'getSession', { cookie });
    const { accountId } = body.data as { accountId: string };
    return (await host.service.context.accounts.find(accountId))?.balance;
  };
  expect(await balanceOf((await logInBy('sign-up')).cookie)).toBe(100);
  expect(await balanceOf((await logInBy('google')).cookie)).toBe(0);
  expect(await logInBy('sign-up')).toMatchObject({ status: 409 });
});
