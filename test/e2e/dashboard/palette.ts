/** The search that Ctrl+K opens on every page of the dashboard. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { canTestPages, expectReadable, newPage, open, ownersBrowser, speak, visits } from './dashboard-harness.ts';

/** Opens the search and types; the field has the focus. */
async function search(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').and(page.locator(':focus')).waitFor();
  await page.keyboard.type(typed);
}

const options = (page: Page, state: { selected?: true } = {}) =>
  page.getByRole('listbox', { name: 'Search' }).getByRole('option', state);

const active = (page: Page) => options(page, { selected: true });

describe.runIf(canTestPages)('with Ctrl+K and the keyboard alone, an owner', () => {
  test('goes to a page, to a task by its label or its id, and starts an action', async () => {
    const taskId = await speak('Um bilhete para o farol.');
    const opened = await ownersBrowser();
    const { page, complaints } = await newPage(opened);
    await open(page, 'account');
    await search(page, 'bill');
    await page.keyboard.press('Enter');
    await page.waitForURL(({ pathname }) => pathname.endsWith('/billing'));
    await search(page, 'FAROL bilhete');
    await active(page).getByText('Um bilhete para o farol.').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(({ pathname }) => pathname.endsWith(`/tasks/${taskId}`));
    await search(page, 'create tok');
    await page.keyboard.press('Enter');
    await page.waitForURL(({ pathname }) => pathname.endsWith('/tokens/new'));
    await search(page, taskId);
    await page.keyboard.press('ArrowDown');
    await active(page).getByText(`Open the task ${taskId}`).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(({ pathname }) => pathname.endsWith(`/tasks/${taskId}`));
    expect(complaints).toEqual([]);
    await opened.close();
  });

  test('closes the search with Escape, and the focus returns to where it was', async () => {
    const opened = await ownersBrowser();
    const { page } = await newPage(opened);
    await open(page, 'tasks');
    await page.getByLabel('Your reference').focus();
    await search(page, 'nothing has this name');
    expect(await options(page).allTextContents()).toEqual(['Tasks with the reference “nothing has this name”']);
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Go to' }).waitFor({ state: 'detached' });
    await page.getByLabel('Your reference').and(page.locator(':focus')).waitFor();
    await opened.close();
  });
});

describe.runIf(canTestPages).for(visits)('on a $screen in $locale,', (visit) => {
  test('the search is accessible and fits the screen', async () => {
    const opened = await ownersBrowser(visit);
    const { page, complaints } = await newPage(opened);
    await open(page, '');
    await search(page, 'a');
    await page.locator('.palette-list [role=option]').nth(3).waitFor();
    await expectReadable(page, visit, 'search');
    expect(complaints).toEqual([]);
    await opened.close();
  });
});
