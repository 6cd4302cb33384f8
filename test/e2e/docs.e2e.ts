/** The documentation site in a browser: on phones and desktops, light and dark, its pages are accessible and work. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, photographed, type Screen, screens, startBrowser } from './browser.ts';
import { isCapable, target } from './target.ts';

const canBrowse = isCapable('browser');
const docs = `${target.url}/docs`;

let browser: Browser;

beforeAll(async () => {
  if (canBrowse) browser = await startBrowser();
});
afterAll(() => browser?.close());

/** The errors in the browser's console, such as what the content security policy blocks. */
function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

const paths = ['', '/quickstart', '/errors', '/prices', '/webhooks', '/changelog', '/reference', '/reference/getTask'];
paths.push('/reference/generateStudioVideo', '/reference/taskFailed', '/pt', '/pt/quickstart');
paths.push('/generate/character-replace', '/generate/voice', '/clients', '/clients/mcp', '/pt/clients', '/files');

describe.runIf(canBrowse).for(Object.keys(screens) as Screen[])('the documentation on a %s', (screen) => {
  let context: BrowserContext;

  beforeAll(async () => {
    context = await browser.newContext({ viewport: screens[screen] });
  });
  afterAll(() => context.close());

  test.for(paths)('has an accessible page %s that fits the screen and loads without errors', async (path) => {
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(docs + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await photographed(page, `docs${path.replaceAll('/', '-')}-${screen}`, async () => {
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(width).toBeLessThanOrEqual(screens[screen].width);
      expect(await accessibilityProblems(page)).toEqual([]);
    });
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('finds a page by searching, and opens it with the keyboard alone', async () => {
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(docs);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('RATE_LIMITED');
    await page.getByRole('dialog').getByRole('link').first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/errors#rate_limited');
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('finds only pages in the language of the current page', async () => {
    const page = await context.newPage();
    await page.goto(docs);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('offline:fail');
    const links = page.getByRole('dialog').getByRole('link');
    await links.first().waitFor();
    const addresses = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href')));
    expect(addresses.filter((address) => /\/pt\b/.test(address ?? ''))).toEqual([]);
    await page.close();
  });

  test('shows the first code sample of each group until a programming language is chosen', async () => {
    const fresh = await browser.newContext({ viewport: screens[screen] });
    const page = await fresh.newPage();
    await page.goto(`${docs}/quickstart`);
    const shown = page.locator('figure:visible');
    const languages = await shown.evaluateAll((found) => found.map((figure) => figure.getAttribute('data-language')));
    expect(languages).toEqual(['sh', 'ts']);
    await fresh.close();
  });

  test('shows a code sample in the programming language that was chosen on another page', async () => {
    const page = await context.newPage();
    await page.goto(`${docs}/reference/generateVoice`);
    await page.getByRole('button', { name: 'Python' }).click();
    await page.goto(`${docs}/reference/getTask`);
    const shown = page.locator('figure:visible');
    expect([await shown.count(), await shown.getAttribute('data-language')]).toEqual([1, 'python']);
    await page.close();
  });

  test.runIf(screen === 'phone')('opens its menu, from which every page can be reached', async () => {
    const page = await context.newPage();
    await page.goto(`${docs}/errors`);
    await page.getByRole('link', { name: 'Menu' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).click();
    await page.waitForURL('**/docs/webhooks');
    await page.close();
  });
});

test.runIf(canBrowse)('without JavaScript, the documentation shows its navigation and every code sample', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${docs}/reference/generateVoice`);
  expect(await page.locator('figure:visible').count()).toBe(3);
  expect(await page.getByRole('navigation').getByRole('link', { name: 'Errors and retries' }).isVisible()).toBe(true);
  await context.close();
});
