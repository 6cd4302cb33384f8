/** Logging in with a password and with Google, and logging out. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { sessionCookie } from '../../../shared/runtime/cookies.ts';
import type { Screen } from '../browser.ts';
import { canBrowse, newPage, openBrowser, siteUrl } from './dashboard-harness.ts';
import { addressOf, logInWithGoogle, newPerson, signUp } from './people.ts';

/** Each browser begins on the identity provider's page. */
const logIns: readonly (readonly [provider: string, screen: Screen, logIn: (page: Page) => Promise<void>])[] = [
  ['a new password', 'desktop', (page) => signUp(page, 'Bia')],
  ['a password', 'desktop', async (page) => (await newPerson('Bruno')).logIn(page)],
  ['Google', 'phone', (page) => logInWithGoogle(page, addressOf('Caio'))],
];

describe.runIf(canBrowse)('a dashboard user', () => {
  test.for(logIns)('logs in with %s, returns to the requested page, and logs out', async ([, screen, logIn]) => {
    const opened = await openBrowser({ screen });
    const { page, complaints } = await newPage(opened);
    await page.goto(siteUrl('tasks?status=failed'));
    await page.getByRole('link', { name: 'Log in' }).click();
    await logIn(page);
    await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
    expect(page.url()).toMatch(/\/account\/tasks\?status=failed$/);
    expect(await page.getByLabel('Status').inputValue()).toBe('failed');
    const isLoggedIn = async () => (await opened.cookies()).some(({ name }) => name === sessionCookie);
    expect([await isLoggedIn(), await page.evaluate('document.cookie')]).toEqual([true, '']);
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('link', { name: 'Log in' }).waitFor();
    expect(await isLoggedIn()).toBe(false);
    expect(complaints.filter((complaint) => !complaint.includes('401'))).toEqual([]);
    await opened.close();
  });
});
