/** The operators' pages in both screen sizes and color schemes, and their search. */
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { OperatorRole } from '../../../shared/contracts/operator-roles.ts';
import { packsRow } from '../../../shared/domain/catalog/packs-row.ts';
import { callAsOperator, giveOperator } from '../../support/given-operator.ts';
import type { Screen } from '../browser.ts';
import {
  canBrowse,
  canTestPages,
  dashboard,
  expectReadable,
  newPage,
  openBrowser,
  ownerEmail,
  speak,
} from './dashboard-harness.ts';
import { giveFigures } from './given-figures.ts';

async function operatorsBrowser(screen: Screen, role: OperatorRole = 'viewer') {
  const { context, url } = dashboard().service;
  const { cookie } = await giveOperator(context, role);
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

/** Contrast is checked in both color schemes in each of them. */
const allVisits = [
  { screen: 'phone', colorScheme: 'light' },
  { screen: 'desktop', colorScheme: 'dark' },
] as const;
const visits = canTestPages ? allVisits : allVisits.slice(-1);

describe.runIf(canBrowse).for(visits)('on a $screen in $colorScheme colors,', ({ screen, colorScheme }) => {
  test('every page of the operators fits, is accessible, and breaks no rule of its security policy', async () => {
    const taskId = await speak('Olá! O seu vídeo está pronto.');
    if (canTestPages) await giveFigures(dashboard().service.context, dashboard().accountId);
    const opened = await operatorsBrowser(screen, 'admin');
    const { page, complaints } = await newPage(opened);
    await page.emulateMedia({ colorScheme });
    const somePaths = ['', `tasks/${taskId}`];
    const allPaths = [
      ...somePaths,
      'customers',
      `customers/${dashboard().accountId}`,
      'tasks',
      'tasks?status=failed',
      'cases',
      'queues',
      'catalog',
      'catalog/packs',
      'acts',
      'sessions',
    ];
    for (const path of canTestPages ? allPaths : somePaths) {
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
  test('lead from a search by id to the customer, and from there to a task', async () => {
    const taskId = await speak('Olá!');
    const opened = await operatorsBrowser('desktop');
    const { page } = await newPage(opened);
    await open(page, '');
    await page.keyboard.press('Control+K');
    await page.getByLabel('E-mail address, name, id').fill(dashboard().accountId);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('link', { name: ownerEmail }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: ownerEmail }).waitFor();
    await page.locator(`a[href="/operate/tasks/${taskId}"]`).click();
    await page.getByRole('heading', { level: 1, name: 'Task: voice' }).waitFor();
    await opened.close();
  });

  test.each(visits.map(({ screen }) => screen))(
    'perform an act on a %s after a preview, and show the act in the log',
    async (screen) => {
      const { accountId, service } = dashboard();
      const balance = async () => (await service.context.accounts.find(accountId))?.balance ?? 0;
      const before = await balance();
      const opened = await operatorsBrowser(screen, 'support');
      const { page, complaints } = await newPage(opened);
      await open(page, `customers/${accountId}`);
      await page.getByRole('button', { name: 'Grant credits' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('amount').fill('0');
      await dialog.getByLabel('kind').selectOption('bonus');
      await dialog.getByLabel('Reason').fill(`Makes up for the outage, on a ${screen}.`);
      await dialog.getByRole('button', { name: 'Preview' }).click();
      expect(await dialog.getByRole('alert').textContent()).toBe('amount must not be 0');
      await dialog.getByLabel('amount').fill('7');
      let isEditable: boolean | undefined;
      await page.route('**/account-acts/*', async (route) => {
        isEditable = await dialog.getByLabel('amount').isEditable();
        await route.continue();
      });
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await dialog.getByRole('button', { name: 'Perform' }).waitFor();
      expect(isEditable).toBe(false);
      expect(await balance()).toBe(before);
      await expectReadable(page, { screen, locale: 'en-US' }, 'operate-preview');
      await dialog.getByRole('button', { name: 'Perform' }).click();
      await dialog.getByRole('status').filter({ hasText: 'Done, as act' }).waitFor();
      await expectReadable(page, { screen, locale: 'en-US' }, 'operate-done');
      expect(await balance()).toBe(before + 7);
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await open(page, 'acts');
      const listed = page.getByRole('row').filter({ hasText: `on a ${screen}.` });
      expect(await listed.textContent()).toContain('support@example.com, support');
      expect(await page.getByRole('button', { name: 'Log out' }).filter({ visible: true }).count()).toBe(1);
      // The browser complains of the rejected preview.
      expect(complaints).toEqual([expect.stringContaining('400')]);
      await opened.close();
    },
  );

  test.each(visits.map(({ screen }) => screen))(
    'show on a %s the dashboard as its owner sees it, read-only, until the view is ended',
    async (screen) => {
      const opened = await operatorsBrowser(screen, 'support');
      const { page } = await newPage(opened);
      await open(page, `customers/${dashboard().accountId}`);
      await page.getByRole('button', { name: 'See as customer' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('The customer sees no invoice.');
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await dialog.getByRole('button', { name: 'Perform' }).click();
      const [seen] = await Promise.all([
        opened.waitForEvent('page'),
        dialog.getByRole('link', { name: 'Open the dashboard' }).click(),
      ]);
      const banner = seen.getByText(`You see this account as ${ownerEmail} does. Read-only, ends at`);
      await banner.waitFor();
      for (const name of ['Tokens', 'Billing', 'Account']) {
        await seen.getByRole('link', { name, exact: true }).first().click();
        await seen.getByRole('heading', { level: 1 }).waitFor();
        await expectReadable(seen, { screen, locale: 'en-US' }, `view-${name.toLowerCase()}`);
        expect(await banner.isVisible()).toBe(true);
      }
      expect(await seen.getByRole('link', { name: 'Inbox' }).count()).toBe(0);
      expect(await seen.getByRole('button', { name: 'Log out' }).count()).toBe(0);
      await seen.getByLabel('Days for results').fill('3');
      await seen.getByRole('button', { name: 'Save' }).click();
      await seen.getByText('Operators cannot see or change this: the view is read-only.').waitFor();
      await seen.reload();
      await banner.waitFor();
      const { pathname } = new URL(seen.url());
      await seen.getByRole('button', { name: 'End the view' }).click();
      await seen.getByRole('row').filter({ hasText: 'The customer sees no invoice.' }).first().waitFor();
      await seen.goto(`${dashboard().service.context.settings.dashboardUrl}${pathname}`);
      await seen.getByRole('heading', { level: 1, name: 'This view has ended' }).waitFor();
      await expectReadable(seen, { screen, locale: 'en-US' }, 'view-ended');
      await opened.close();
    },
  );

  test('list the operator’s sessions, end all others, and those of another operator with a reason', async () => {
    const { context, url } = dashboard().service;
    const email = 'admin@example.com';
    const other = await giveOperator(context, 'admin', email);
    const colleague = await giveOperator(context, 'support', 'colleague@example.com');
    const opened = await operatorsBrowser('phone', 'admin');
    const { page } = await newPage(opened);
    await open(page, '');
    await page.getByRole('link', { name: 'Your sessions' }).filter({ visible: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Your sessions' }).waitFor();
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByRole('row').filter({ hasText: 'This session' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^End: / }).count()).toBe(0);
    const statusOf = async ({ cookie }: { readonly cookie: string }) =>
      (await callAsOperator(url, 'getOperator', { cookie })).status;
    expect([await statusOf(other), await statusOf(colleague)]).toEqual([401, 200]);
    await page.getByRole('button', { name: 'End another operator’s sessions' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('operator').fill('colleague@example.com');
    await dialog.getByLabel('Reason').fill('A lost computer.');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('button', { name: 'Perform' }).click();
    await dialog.getByRole('status').filter({ hasText: 'Done, as act' }).waitFor();
    expect(await statusOf(colleague)).toBe(401);
    await opened.close();
  });

  test('show the dead letters of a queue, and move them back', async () => {
    const { settings } = dashboard().service.context;
    const sqs = new SQSClient({ ...settings.aws('SQS') });
    const message = { QueueUrl: settings.webhookDeadLettersUrl, MessageBody: '{"taskId":"no-task"}' };
    await sqs.send(new SendMessageCommand(message));
    sqs.destroy();
    const opened = await operatorsBrowser('phone', 'admin');
    const { page } = await newPage(opened);
    await open(page, 'queues');
    await page.getByText('taskId no-task').waitFor();
    await expectReadable(page, { screen: 'phone', locale: 'en-US' }, 'operate-dead-letters');
    await page
      .getByRole('row', { name: /^webhooks/ })
      .getByRole('button', { name: 'Redrive' })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('The bug is fixed.');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('button', { name: 'Perform' }).click();
    await dialog.getByRole('status').filter({ hasText: 'Done' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('taskId no-task').waitFor({ state: 'detached' });
    await opened.close();
  });

  test('change a field of the catalog with a form, and undo the change from its history', async () => {
    const { context } = dashboard().service;
    // The last pack, which no other test orders meanwhile.
    const creditsOf = async () => {
      const { creditPacks } = (await context.catalog.show(packsRow)).members;
      return (creditPacks as readonly { credits: number }[]).at(-1)?.credits;
    };
    const before = await creditsOf();
    const opened = await operatorsBrowser('desktop', 'admin');
    const { page } = await newPage(opened);
    await open(page, 'catalog/packs');
    await page.getByRole('button', { name: 'Change creditPacks' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('credits').last().fill('123');
    await dialog.getByLabel('Reason').fill('A smaller pack.');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('button', { name: 'Perform' }).waitFor();
    await expectReadable(page, { screen: 'desktop', locale: 'en-US' }, 'operate-catalog-form');
    await dialog.getByRole('button', { name: 'Perform' }).click();
    await dialog.getByRole('status').filter({ hasText: 'Done' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    expect(await creditsOf()).toBe(123);
    await page.getByRole('button', { name: 'Undo 1' }).click();
    await dialog.getByLabel('Reason').fill('It was too small.');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('button', { name: 'Perform' }).click();
    await dialog.getByRole('status').filter({ hasText: 'Done' }).waitFor();
    expect(await creditsOf()).toBe(before);
    await opened.close();
  });

  test.runIf(canTestPages)('offer no acts to viewers', async () => {
    const opened = await operatorsBrowser('desktop', 'viewer');
    const { page } = await newPage(opened);
    await open(page, `customers/${dashboard().accountId}`);
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('button', { name: 'Grant credits' }).count()).toBe(0);
    await opened.close();
  });

  test('ask a user without an operator’s session to log in', async () => {
    const opened = await openBrowser();
    const { page } = await newPage(opened);
    await page.goto(`${dashboard().service.context.settings.dashboardUrl}/operate/cases`);
    const target = await page.getByRole('link', { name: 'Log in' }).getAttribute('href');
    expect(target).toBe(`/operate/api/login?returnTo=${encodeURIComponent('/operate/cases')}`);
    await opened.close();
  });
});
