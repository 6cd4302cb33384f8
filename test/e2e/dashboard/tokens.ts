/** Tokens: creators must confirm that they own the account, secrets are shown once, and a revoked token is rejected. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { itemsIn } from '../../support/stored-items.ts';
import { accessibilityProblems } from '../browser.ts';
import {
  canBrowse,
  canTestPages,
  dashboard,
  givenToken,
  loggedWith,
  newPage,
  newToken,
  open,
  openBrowser,
  ownersBrowser,
  profileStatus,
  siteUrl,
} from './dashboard-harness.ts';
import { addressOf, chooseGoogleAccount, newPerson } from './people.ts';

async function fillIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Read only' }).press('Enter');
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(6);
  expect(await page.getByLabel('Read the profile').isChecked()).toBe(true);
}

async function create(page: Page, password?: string): Promise<void> {
  if (password !== undefined) await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Create token' }).click();
}

async function enterCap(page: Page, cap: string, password?: string): Promise<void> {
  await page.getByLabel('Monthly cap in credits').fill(cap);
  if (password !== undefined) await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Save' }).click();
}

/** The token and the webhook token as the page shows them. */
async function shownSecrets(page: Page): Promise<string[]> {
  await page.getByRole('heading', { level: 1, name: 'Your token is ready' }).waitFor();
  return page.locator('.secret').allTextContents();
}

/** Records everything that the browser sends and receives from now on. */
function recordTraffic(page: Page): string[] {
  const traffic: string[] = [];
  page.on('request', (request) => {
    traffic.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`);
  });
  page.on('response', async (response) => {
    traffic.push(await response.text().catch(() => ''));
  });
  return traffic;
}

describe.runIf(canBrowse)('on the tokens page, an owner with a password', () => {
  test('creates a token by entering the password: a wrong one is reported at its field, and the secrets are shown only once', async () => {
    const duda = await newPerson('Duda');
    const opened = await openBrowser();
    const { page } = await newPage(opened);
    await page.goto(siteUrl('tokens/new?problem=expired'));
    // An earlier attempt has failed: the page says so until there is a session.
    await page.getByText('This log-in took too long or was already used.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Log in' }).click();
    await duda.logIn(page);
    await page.getByRole('heading', { level: 1, name: 'Create token' }).waitFor();
    expect(await page.getByText('This log-in took too long').count()).toBe(0);
    await fillIn(page, 'Shop');
    await create(page, 'a wrong password');
    await page.getByText('This is not your password.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await create(page, duda.password);
    const secrets = await shownSecrets(page);
    expect(secrets.map((secret) => secret.length > 20)).toEqual([true, true]);
    expect(await profileStatus(secrets[0] ?? '')).toBe(200);
    expect(await accessibilityProblems(page)).toEqual([]);

    const traffic = recordTraffic(page);
    await page.getByRole('link', { name: 'I have stored both' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Shop' }).getByText('Active').waitFor();
    const pages = [await page.content()];
    await page.goBack();
    await page.getByLabel('Name').waitFor();
    pages.push(await page.content());
    await page.reload();
    await page.getByLabel('Name').waitFor();
    pages.push(await page.content());
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])');
    const items = [...(await itemsIn(dashboard().database)).values()];
    const parts = [...secrets.map((secret) => secret.slice(8, -8)), duda.password];
    const places = { pages, traffic, kept, items };
    const holders = Object.entries(places).filter(([, place]) => {
      const text = JSON.stringify(place);
      return parts.some((secret) => text.includes(secret));
    });
    expect(holders.map(([name]) => name)).toEqual([]);
    // The recorded traffic and items are not empty: otherwise searching them would prove nothing.
    expect([traffic, items].map((place) => JSON.stringify(place).includes('Shop'))).toEqual([true, true]);
    await eventually('the line of the request', async () => (await loggedWith('createToken'))[0]);
    for (const secret of parts) expect(await loggedWith(secret)).toEqual([]);
    await opened.close();
  });
});

describe.runIf(canTestPages)('on the tokens page, an owner with a password and a token', () => {
  test('changes the cap of the token by entering the password: a wrong one is reported at its field', async () => {
    const { accountId, password, subject, username } = await newPerson('Ivo');
    await newToken(dashboard().service, accountId, 'Capped');
    const opened = await ownersBrowser({}, { accountId, session: { subject, username } });
    const { page } = await newPage(opened);
    await open(page, 'tokens');
    await page.getByRole('button', { name: 'Monthly cap: Capped' }).click();
    await enterCap(page, '250');
    await page.getByText('Enter your password.').waitFor();
    await enterCap(page, '250', 'a wrong password');
    await page.getByText('This is not your password.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await enterCap(page, '250', password);
    await page.getByText('0 of 250 credits spent this month').waitFor();
    await opened.close();
  });
});

describe.runIf(canBrowse)('on the tokens page, an owner who logs in with Google', () => {
  test('creates a token after logging in with Google again: another Google account is rejected', async () => {
    const { accountId, email: own, subject, username } = await newPerson('Fabi', 'google');
    const longAgo = Date.now() - 3_600_000;
    const session = { kind: 'social', provider: 'Google', subject, username, authenticatedAt: longAgo } as const;
    const opened = await ownersBrowser({ screen: 'phone' }, { accountId, session });
    const { page } = await newPage(opened);
    await page.goto(siteUrl('tokens/new'));
    await fillIn(page, 'Through Google');
    await create(page);
    await page.getByText('Confirm first.').waitFor();
    for (const email of [addressOf('Gil'), own]) {
      await page.getByRole('link', { name: 'Confirm with Google' }).click();
      await chooseGoogleAccount(page, email);
      await page.getByRole('heading', { level: 1, name: 'Create token' }).waitFor();
      expect(await page.getByText('You logged in with another account.').count()).toBe(email === own ? 0 : 1);
    }
    await page.getByText(/^Confirmed for another \d+ min\.$/).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Through Google');
    await create(page);
    const [token = ''] = await shownSecrets(page);
    expect(await profileStatus(token)).toBe(200);
    await opened.close();
  });

  test.runIf(canTestPages)(
    'changes the cap of a token after logging in with Google again, and finds the entered cap in the dialog',
    async () => {
      const { accountId, email, subject, username } = await newPerson('Hugo', 'google');
      await newToken(dashboard().service, accountId, 'Capped');
      const longAgo = Date.now() - 3_600_000;
      const session = { kind: 'social', provider: 'Google', subject, username, authenticatedAt: longAgo } as const;
      const opened = await ownersBrowser({ screen: 'phone' }, { accountId, session });
      const { page } = await newPage(opened);
      await open(page, 'tokens');
      await page.getByRole('button', { name: 'Monthly cap: Capped' }).click();
      await enterCap(page, '250');
      await page.getByText('Confirm first.').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole('link', { name: 'Confirm with Google' }).click();
      await chooseGoogleAccount(page, email);
      await page.getByText(/^Confirmed for another \d+ min\.$/).waitFor();
      expect(await page.getByLabel('Monthly cap in credits').inputValue()).toBe('250');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('0 of 250 credits spent this month').waitFor();
      await opened.close();
    },
  );
});

describe.runIf(canTestPages)('on the tokens page, an owner', () => {
  test('revokes a token after confirming, and it stops working at once', async () => {
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
