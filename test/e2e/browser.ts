/** A browser for tests of pages, with the screen sizes of a phone and of a desktop computer. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
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
  mkdirSync(screenshots, { recursive: true });
  // Chromium cannot use its sandbox when it runs as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}

/** Fields, buttons and links without a name, in the form in which assistive technology sees them. */
const nameless = /^ *- (?:button|link|textbox|combobox|radio|spinbutton)(?: \[|:|$)/;

/** Fails unless the page fits the screen and everything in it has a name. Its screenshot is kept in build/screenshots. */
export async function inspect(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
  const width = await page.evaluate('document.documentElement.scrollWidth');
  expect(width, `${name} is wider than the screen`).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  const controls = (await page.locator('body').ariaSnapshot()).split('\n').filter((line) => nameless.test(line));
  expect(controls, `${name} has controls without a name`).toEqual([]);
  expect([await page.title(), await page.getAttribute('html', 'lang')]).toEqual([expect.stringMatching(/\w/), 'en']);
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
}

/** Resolves when the page shows the color scheme: its scripts hear of it before the next frame, and colors fade. */
const showsScheme = `async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
}`;

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/**
 * The rules of accessibility that a page breaks. It is checked in the light color scheme, and its contrast, which alone
 * depends on the scheme, in the dark one too.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const problems: string[] = [];
  for (const [colorScheme, options] of [
    ['dark', '{ runOnly: ["color-contrast"] }'],
    ['light', '{}'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(`(${showsScheme})()`);
    const { violations } = await page.evaluate<AxeResult>(`axe.run(${options})`);
    for (const { id, nodes } of violations)
      problems.push(...nodes.map(({ html }) => `${id}, ${colorScheme}: ${html.slice(0, 200)}`));
  }
  return problems;
}
