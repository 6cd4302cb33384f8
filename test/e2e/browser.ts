/** A browser for tests of pages, with the screen sizes of a phone and of a desktop computer. */
import { mkdirSync } from 'node:fs';
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
