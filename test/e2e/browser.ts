/** A browser for tests of pages, with the screen sizes of a phone and of a desktop computer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { chromiumPath } from './chromium-path.ts';

export const screens = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 800 },
} as const;

export type Screen = keyof typeof screens;

const screenshots = join('build', 'screenshots');

export function startBrowser(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('There is no Chromium: set CHROMIUM to its path.');
  // Chromium cannot use its sandbox when it runs as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  // Optimizing compilers take more time than they save while each page is open, which is a few seconds.
  return chromium.launch({ executablePath, args: [...args, '--js-flags=--no-maglev --no-opt'] });
}

/** Checks a page, and keeps its screenshot in build/screenshots: in CI only if the check fails, because it takes long. */
export async function photographed(page: Page, name: string, check: () => Promise<void>): Promise<void> {
  let isFine = false;
  try {
    await check();
    isFine = true;
  } finally {
    const path = join(screenshots, `${name}.png`);
    if (!isFine || !process.env.CI) await page.screenshot({ path, fullPage: true });
  }
}

/** Fields, buttons and links without a name, in the form in which assistive technology sees them. */
const nameless = /^ *- (?:button|link|textbox|combobox|radio|spinbutton)(?: \[|:|$)/;

/** Fails unless the page fits the screen and everything in it has a name. */
export const inspect = (page: Page, name: string): Promise<void> =>
  photographed(page, name, async () => {
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width, `${name} is wider than the screen`).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    const controls = (await page.locator('body').ariaSnapshot()).split('\n').filter((line) => nameless.test(line));
    expect(controls, `${name} has controls without a name`).toEqual([]);
    expect([await page.title(), await page.getAttribute('html', 'lang')]).toEqual([expect.stringMatching(/\w/), 'en']);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  });

/** Resolves when the page shows the color scheme: its scripts hear of it before the next frame, and colors fade. */
const showsScheme = `async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
}`;

/** Without its comments and names, because it is sent to the browser for every page. */
const axeScript = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Returns only what is needed: everything that axe-core finds would take longer to send than to find. */
const violations = (options: string): string =>
  `axe.run({ resultTypes: ['violations'], ${options} }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html.slice(0, 200)])))`;

/**
 * The rules of accessibility that a page breaks. It is checked in the light color scheme, and its contrast, which alone
 * depends on the scheme, in the dark one too.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axeScript);
  const problems: string[] = [];
  const wasDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  for (const [colorScheme, options] of [
    ['dark', 'runOnly: ["color-contrast"]'],
    ['light', ''],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(`(${showsScheme})()`);
    const found = await page.evaluate<(readonly [id: string, html: string])[]>(violations(options));
    problems.push(...found.map(([id, html]) => `${id}, ${colorScheme}: ${html}`));
  }
  if (wasDark) await page.emulateMedia({ colorScheme: 'dark' });
  return problems;
}
