/** Every page in both screen sizes, and in one language on each. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { accessibilityProblems } from '../browser.ts';
import {
  canBrowse,
  canTestPages,
  dashboard,
  expectReadable,
  newPage,
  open,
  openBrowser,
  ownersBrowser,
  speak,
  visits,
} from './dashboard-harness.ts';

/** A deployed dashboard differs in its host only, so a few pages are enough there. */
const somePages = ['', 'playground'];
const allPages = [
  ...somePages,
  'tasks',
  'tokens',
  'tokens/new',
  'webhooks',
  'inbox',
  'billing',
  'account',
  'no/such/page',
];
const pages = canTestPages ? allPages : somePages;

/** Links whose targets the dashboard's host does not serve. */
async function strayLinks(page: Page): Promise<string[]> {
  const { origin } = new URL(page.url());
  const links = await page.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  const addresses = links.map((link) => new URL(link, page.url()).href).filter((link) => link.startsWith(origin));
  const served = [`${origin}/account/`, `${dashboard().apiUrl}/`];
  return addresses.filter((link) => !served.some((start) => link.startsWith(start)));
}

/** The widths of the gaps between the labels of the navigation on a phone. */
async function gapsBetweenLabels(page: Page): Promise<number[]> {
  const places = await page.locator('.navigation li span').evaluateAll((labels) =>
    labels.map((label) => {
      const { left, right } = label.getBoundingClientRect();
      return { left, right };
    }),
  );
  return places.slice(1).map(({ left }, index) => left - (places[index]?.right ?? 0));
}

describe.runIf(canBrowse).for(visits)('on a $screen in $locale,', (visit) => {
  test('every dashboard page fits, is accessible, and breaks no rule of its security policy', async () => {
    const taskId = await speak('Olá! O seu vídeo está pronto.');
    const opened = await ownersBrowser(visit);
    const { page, complaints } = await newPage(opened);
    for (const path of [...pages, `tasks/${taskId}`]) {
      await open(page, path);
      await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      expect(await page.getAttribute('html', 'lang'), path).toBe(visit.locale === 'pt-BR' ? 'pt-BR' : 'en');
      await expectReadable(page, visit, path.replaceAll(/\W+/g, '-').slice(0, 12) || 'overview');
      expect(await strayLinks(page), path).toEqual([]);
    }
    if (visit.screen === 'phone') expect(Math.min(...(await gapsBetweenLabels(page)))).toBeGreaterThan(3);
    await page.waitForLoadState('networkidle');
    expect(complaints).toEqual([]);
    await opened.close();
  });
});

describe.runIf(canTestPages)('every dashboard page', () => {
  test('sends a user who is not logged in to the log-in page and back afterwards', async () => {
    const opened = await openBrowser();
    const { page } = await newPage(opened);
    await open(page, 'tasks?status=failed');
    const target = await page.getByRole('link', { name: 'Log in' }).getAttribute('href');
    expect(target).toBe(`/account/api/login?returnTo=${encodeURIComponent('/account/tasks?status=failed')}`);
    expect(await accessibilityProblems(page)).toEqual([]);
    await opened.close();
  });

  test('is in the language that the user has chosen, and the choice is remembered', async () => {
    const opened = await ownersBrowser();
    const { page } = await newPage(opened);
    await open(page, 'account');
    await page.getByText('Português', { exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Conta' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Conta' }).waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe('pt-BR');
    await opened.close();
  });
});
