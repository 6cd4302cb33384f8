/** The operators' pages in both screen sizes and color schemes, and their search. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { giveOperator } from '../../support/given-operator.ts';
import type { Screen } from '../browser.ts';
import { canBrowse, dashboard, expectReadable, newPage, openBrowser, speak } from './dashboard-harness.ts';

async function operatorsBrowser(screen: Screen) {
  const { context, url } = dashboard().service;
  const { cookie } = await giveOperator(context, 'viewer');
  const [name = '', value = ''] = cookie.split('=');
  const opened = await openBrowser({ screen });
  await opened.addCookies([url, context.settings.dashboardUrl].map((one) => ({ name, value, url: one })));
  return opened;
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${dashboard().service.context.settings.dashboardUrl}/operate/${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
}

const visits = [
  { screen: 'phone', colorScheme: 'light' },
  { screen: 'desktop', colorScheme: 'light' },
  { screen: 'desktop', colorScheme: 'dark' },
] as const;

describe.runIf(canBrowse).for(visits)('on a $screen in $colorScheme colors,', ({ screen, colorScheme }) => {
  test('every page of the operators fits, is accessible, and breaks no rule of its security policy', async () => {
    const taskId = await speak('Olá! O seu vídeo está pronto.');
    const opened = await operatorsBrowser(screen);
    const { page, complaints } = await newPage(opened);
    await page.emulateMedia({ colorScheme });
    const paths = [
      '',
      'customers',
      `customers/${dashboard().accountId}`,
      'tasks',
      `tasks/${taskId}`,
      'cases',
      'catalog',
    ];
    for (const path of paths) {
      await open(page, path);
      const name = path.replaceAll(/\W+/g, '-').slice(0, 12) || 'overview';
      await expectReadable(page, { screen, locale: 'en-US' }, `operate-${name}-${colorScheme}`);
    }
    await page.waitForLoadState('networkidle');
    expect(complaints).toEqual([]);
    await opened.close();
  });
});

describe.runIf(canBrowse)('the operators’ pages', () => {
  test('lead from a search by e-mail address to the customer, and from there to a task', async () => {
    const taskId = await speak('Olá!');
    const opened = await operatorsBrowser('desktop');
    const { page } = await newPage(opened);
    await open(page, '');
    await page.keyboard.press('Control+K');
    await page.getByLabel('E-mail address, name, id').fill('ana@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('link', { name: 'ana@example.com' }).click();
    await page.getByRole('heading', { level: 1, name: 'ana@example.com' }).waitFor();
    await page.locator(`a[href="/operate/tasks/${taskId}"]`).click();
    await page.getByRole('heading', { level: 1, name: 'Task: voice' }).waitFor();
    await opened.close();
  });

  test('ask a user without a session of an operator to log in', async () => {
    const opened = await openBrowser();
    const { page } = await newPage(opened);
    await page.goto(`${dashboard().service.context.settings.dashboardUrl}/operate/cases`);
    const target = await page.getByRole('link', { name: 'Log in' }).getAttribute('href');
    expect(target).toBe(`/operate/api/login?returnTo=${encodeURIComponent('/operate/cases')}`);
    await opened.close();
  });
});
