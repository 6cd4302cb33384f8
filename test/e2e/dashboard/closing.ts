/** The owner closes the account, and opens it again once: at once tokens stop, and nothing but the way back is shown. */
import { describe, expect, test } from 'vitest';
import {
  canLookInside,
  dashboard,
  expectReadable,
  newPage,
  newToken,
  openBrowser,
  profileStatus,
  siteUrl,
  visits,
} from './dashboard-harness.ts';
import { newPerson } from './people.ts';

const names = {
  'en-US': {
    start: 'Close the account…',
    close: 'Close the account',
    closed: 'Your account is closed',
    reopen: 'Open the account again',
  },
  'pt-BR': {
    start: 'Encerrar a conta…',
    close: 'Encerrar a conta',
    closed: 'Sua conta está encerrada',
    reopen: 'Reabrir a conta',
  },
} as const;

describe.runIf(canLookInside).for(visits)('on a $screen in $locale,', (visit) => {
  test('an owner closes the account with the password and opens it again, and each state is readable in light and dark', async () => {
    const person = await newPerson('Lia');
    const opened = await openBrowser(visit);
    const { page } = await newPage(opened);
    const { start, close, closed, reopen } = names[visit.locale];
    await page.goto(siteUrl('account'));
    await page.getByRole('link', { name: /Log in|Entrar/ }).click();
    await person.logIn(page);
    const token = await newToken(dashboard().service, person.accountId, 'Shop');
    await page.getByRole('button', { name: start }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await expectReadable(page, visit, 'closing-dialog');
    await dialog.locator('input[type="password"]').fill('a wrong password');
    await dialog.getByRole('button', { name: close }).click();
    await dialog.getByText(/This is not your password|Esta não é a sua senha/).waitFor();
    expect(await profileStatus(token)).toBe(200);
    await dialog.locator('input[type="password"]').fill(person.password);
    await dialog.getByRole('button', { name: close }).click();
    await page.getByRole('heading', { name: closed }).waitFor();
    expect(await profileStatus(token)).toBe(401);
    await expectReadable(page, visit, 'closed');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(siteUrl('tasks'));
    await page.getByRole('heading', { name: closed }).waitFor();
    await expectReadable(page, visit, 'closed-dark');
    await page.getByRole('button', { name: reopen }).click();
    await page.getByRole('heading', { name: closed }).waitFor({ state: 'detached' });
    expect(await profileStatus(token)).toBe(401);
    await page.goto(siteUrl('account'));
    await page.getByRole('button', { name: start }).click();
    await dialog.locator('input[type="password"]').fill(person.password);
    await dialog.getByRole('button', { name: close }).click();
    await page.getByText(/only the operator of the service can|só o operador do serviço pode/i).waitFor();
    expect(await page.getByRole('button', { name: reopen }).count()).toBe(0);
    await opened.close();
  });
});
