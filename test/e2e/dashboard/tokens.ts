/** Tokens: who creates one confirms to be its owner, its secrets are shown once, and a revoked one fails. */
import { describe, expect, test } from 'vitest';
import {
  accessibilityProblems,
  canBrowse,
  givenToken,
  newPage,
  open,
  openBrowser,
  ownersBrowser,
  profileStatus,
  siteUrl,
  somebody,
} from './dashboard-harness.ts';

describe.runIf(canBrowse)('somebody with a password', () => {
  test('creates a token with it: a wrong one is told in its field, and the secrets are shown once', async () => {
    const duda = somebody('Duda');
    const opened = await openBrowser();
    const { page } = await newPage(opened);
    await page.goto(siteUrl('tokens/new?problem=expired'));
    // An earlier attempt came to nothing: the page says so until somebody is logged in.
    await page.getByText('This log-in took too long or was already used.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Log in' }).click();
    await duda.logIn(page);
    await page.getByRole('heading', { level: 1, name: 'Create token' }).waitFor();
    expect(await page.getByText('This log-in took too long').count()).toBe(0);
    await page.getByLabel('Name').fill('Shop');
    await page.getByLabel('Read the profile').check();
    await page.getByLabel('Your password').fill('a wrong password');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText('This is not your password.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel('Your password').fill(duda.password);
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your token is ready' }).waitFor();
    const secret = (await page.locator('.secret').first().textContent()) ?? '';
    expect(await profileStatus(secret)).toBe(200);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'I have stored both' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Shop' }).getByText('Active').waitFor();
    await page.goBack();
    expect(await page.content()).not.toContain(secret);
    await opened.close();
  });
});

describe.runIf(canBrowse)('an owner', () => {
  test('revokes a token, after being asked, and it stops working at once', async () => {
    const token = await givenToken('Old shop');
    expect(await profileStatus(token)).toBe(200);
    const opened = await ownersBrowser({ screen: 'phone' });
    const { page, complaints } = await newPage(opened);
    await open(page, 'tokens');
    await page.getByRole('button', { name: 'Revoke: Old shop' }).click();
    expect(await profileStatus(token)).toBe(200);
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('listitem').filter({ hasText: 'Old shop' }).getByText('Revoked').waitFor();
    expect(await profileStatus(token)).toBe(401);
    expect(complaints).toEqual([]);
    await opened.close();
  });
});
