/** Pages that show rejections by the service, and that strangers' input is only ever shown as text. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { passwordGuesses } from '../../../shared/contracts/limits.ts';
import { loginProblems } from '../../../shared/contracts/login.ts';
import {
  canTestPages,
  dashboard,
  givenToken,
  newAccount,
  newPage,
  open,
  openBrowser,
  ownersBrowser,
  siteUrl,
  speak,
} from './dashboard-harness.ts';
import { newPerson } from './people.ts';

async function tryPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('Your password').fill(password);
  const response = page.waitForResponse('**/account/api/tokens');
  await page.getByRole('button', { name: 'Create token' }).click();
  await response;
}

describe.runIf(canTestPages)('the dashboard explains that', () => {
  test('a log-in failed, with a different text for each reason', async () => {
    const opened = await openBrowser({ screen: 'phone', locale: 'pt-BR' });
    const { page } = await newPage(opened);
    const said = new Set<string>();
    for (const problem of loginProblems) {
      await open(page, `?problem=${problem}`);
      said.add((await page.getByRole('alert').textContent()) ?? '');
    }
    expect(said.size).toBe(loginProblems.length);
    await opened.close();
  });

  test('a task or order of another account or with an unknown id is not found', async () => {
    const taskId = await speak('Uma frase alheia.');
    const opened = await ownersBrowser({}, { accountId: await newAccount('Jota') });
    const { page } = await newPage(opened);
    for (const path of [`tasks/${taskId}`, `billing/orders/${taskId}`, 'tasks/nothing']) {
      await page.goto(siteUrl(path));
      await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor();
      expect(await page.content()).not.toContain('Uma frase alheia.');
    }
    await opened.close();
  });

  test('even the right password is not accepted after too many wrong ones', async () => {
    const kika = await newPerson('Kika');
    const { accountId, subject, username } = kika;
    const opened = await ownersBrowser({}, { accountId, session: { subject, username } });
    const { page } = await newPage(opened);
    await open(page, 'tokens/new');
    await page.getByLabel('Name').fill('Never');
    await page.getByLabel('Read the profile').check();
    for (let guess = 0; guess < passwordGuesses; guess += 1) await tryPassword(page, `guess ${guess}`);
    await page.getByText('This is not your password.').waitFor();
    await tryPassword(page, kika.password);
    await page.getByText('Too many wrong passwords: wait some minutes and try again.').waitFor();
    await opened.close();
  });

  test('a task that has ended in the meantime cannot be canceled', async () => {
    const taskId = await speak('[offline:hang]');
    const opened = await ownersBrowser();
    const { page } = await newPage(opened);
    await open(page, `tasks/${taskId}`);
    await page.getByRole('button', { name: 'Cancel task' }).click();
    const question = page.getByRole('dialog');
    await question.getByRole('button', { name: 'Keep it running' }).waitFor();
    // The page polls the task: it must not learn of the end before its owner decides.
    await page.route(`**/account/api/tasks/${taskId}`, (route) => route.abort());
    const { apiUrl, token } = dashboard();
    const canceled = await fetch(`${apiUrl}/api/v1/tasks/${taskId}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(canceled.status).toBe(200);
    await question.getByRole('button', { name: 'Cancel task' }).click();
    await question.getByText('The task has already ended.').waitFor();
    await opened.close();
  });

  test('a coupon is not accepted, and that a PIX code has expired', async () => {
    const opened = await ownersBrowser({ screen: 'phone' }, { accountId: await newAccount('Lia') });
    const { page } = await newPage(opened);
    await open(page, 'billing');
    await page.getByLabel('Coupon').fill('NOTHING');
    await page.getByRole('button', { name: 'Subscribe: Starter' }).click();
    await page.getByText('This coupon is unknown, has expired, or is for another plan.').waitFor();
    await page.getByRole('button', { name: /^Buy: 100/ }).click();
    await page.getByAltText('QR code of the PIX payment').waitFor();
    const code = (await page.locator('.secret').textContent()) ?? '';
    const payer = await opened.newPage();
    await payer.goto(dashboard().service.payments.url);
    await payer.getByLabel('PIX code of an order').fill(code);
    await payer.getByRole('button', { name: 'Find payment' }).click();
    await payer.getByRole('button', { name: 'Expire' }).click();
    await page.getByText('This code has expired').waitFor();
    await opened.close();
  });

  test('the user is logged out when the session was ended elsewhere', async () => {
    const accountId = await newAccount('Mel');
    const stolen = await ownersBrowser({ screen: 'phone' }, { accountId, session: { userAgent: 'Firefox/1 Android' } });
    const { page } = await newPage(stolen);
    await open(page, '');
    const opened = await ownersBrowser({}, { accountId });
    const { page: own } = await newPage(opened);
    await open(own, 'account');
    await own.getByRole('button', { name: 'End session: Firefox, Android' }).click();
    await own.getByText('Firefox, Android').waitFor({ state: 'detached' });
    const logIn = page.getByRole('link', { name: 'Log in' });
    const click = page.getByRole('link', { name: 'Tasks' }).click();
    // There is nothing to click on if the page has already learned of the end by asking for something itself.
    await Promise.race([click.catch(() => undefined), logIn.waitFor()]);
    await logIn.waitFor();
    await Promise.all([stolen.close(), opened.close()]);
  });
});

test.runIf(canTestPages)('HTML in names and requests is shown as text in the dashboard', async () => {
  const html = '<img src="/x" onerror="document.title=1"><b>bold</b>';
  await givenToken(html);
  const taskId = await speak(html);
  const opened = await ownersBrowser();
  const { page, complaints } = await newPage(opened);
  await open(page, 'tokens');
  await page.getByText(html).waitFor();
  await page.getByRole('button', { name: `Revoke: ${html}` }).click();
  await page.getByRole('dialog').getByText(html).waitFor();
  await open(page, `tasks/${taskId}`);
  await page.locator('pre').filter({ hasText: 'onerror' }).first().waitFor();
  expect(await page.locator('img[src="/x"]').count()).toBe(0);
  expect(await page.title()).toMatch(/^Speech · /);
  expect(complaints).toEqual([]);
  await opened.close();
});
