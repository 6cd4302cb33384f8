/** What a deployed dashboard must do as the one of `npm start` does: its host, and confirmations by password. */
import { describe, expect, test } from 'vitest';
import { siteHeaders } from '../../../infra/dashboard-site.ts';
import {
  canBrowse,
  canLookInside,
  newPage,
  openBrowser,
  profileStatus,
  signUp,
  signUpPassword,
  siteUrl,
} from './dashboard-harness.ts';

describe.runIf(canBrowse && !canLookInside)('the host of a deployed dashboard', () => {
  test('serves every page with all security headers, and no page in place of a file that does not exist', async () => {
    for (const path of ['', 'tasks', 'tokens/new']) {
      const response = await fetch(siteUrl(path));
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const policy = response.headers.get('content-security-policy') ?? '';
      const [, results = ''] = /media-src 'self' (\S+);/.exec(policy) ?? [];
      for (const [name, value] of Object.entries(siteHeaders(results))) expect(response.headers.get(name)).toBe(value);
    }
    // An emulator of S3 says less of what is not there.
    expect([403, 404]).toContain((await fetch(siteUrl('assets/no-such-file.js'))).status);
  });

  test('rejects writes that another site sends, and what nobody is logged in for', async () => {
    const send = (headers: Record<string, string>) =>
      fetch(siteUrl('api/tokens'), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ name: 'stolen', scopes: [] }),
      });
    expect((await send({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await send({ 'sec-fetch-site': 'same-origin' })).status).toBe(401);
  });
});

describe.runIf(canBrowse && !canLookInside)('somebody who signs up with a password', () => {
  test('creates a token with it, not with a wrong one, and the token works', async () => {
    const opened = await openBrowser();
    const { page } = await newPage(opened);
    await page.goto(siteUrl('tokens/new'));
    await page.getByRole('link', { name: 'Log in' }).click();
    await signUp(page, 'Ines');
    await page.getByRole('heading', { level: 1, name: 'Create token' }).waitFor();
    await page.getByLabel('Name').fill('Shop');
    await page.getByLabel('Read the profile').check();
    await page.getByLabel('Your password').fill('a wrong password');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText('This is not your password.').waitFor();
    await page.getByLabel('Your password').fill(signUpPassword);
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your token is ready' }).waitFor();
    const [token = ''] = await page.locator('.secret').allTextContents();
    expect(await profileStatus(token)).toBe(200);
    await opened.close();
  });
});
