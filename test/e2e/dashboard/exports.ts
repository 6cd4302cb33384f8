/** The export of the account: the owner confirms who they are, follows the progress and downloads the archive. */
import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { accessibilityProblems } from '../browser.ts';
import {
  canLookInside,
  expectReadable,
  newPage,
  openBrowser,
  ownService,
  siteUrl,
  visits,
} from './dashboard-harness.ts';
import { newPerson } from './people.ts';

async function confirm(page: Page, password: string, button: string): Promise<void> {
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('dialog').getByRole('button', { name: button }).click();
}

const names = {
  'en-US': { request: 'Request archive', download: 'Download', making: 'The archive is being made.' },
  'pt-BR': { request: 'Solicitar arquivo', download: 'Baixar', making: 'O arquivo está sendo feito.' },
} as const;

describe.runIf(canLookInside)('on the account page, an owner', () => {
  test('requests an archive with the password, and downloads it once it is ready', async () => {
    const eva = await newPerson('Eva');
    const opened = await openBrowser();
    const { page, complaints } = await newPage(opened);
    await page.goto(siteUrl('account'));
    await page.getByRole('link', { name: 'Log in' }).click();
    await eva.logIn(page);
    await page.getByRole('button', { name: 'Request archive' }).click();
    await confirm(page, 'a wrong password', 'Request archive');
    await page.getByText('This is not your password.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await confirm(page, eva.password, 'Request archive');
    await page.getByText('The archive is being made.').waitFor();
    await ownService().invoke('makeExports', {});
    await page.getByText('The archive is ready').waitFor();
    await page.getByRole('button', { name: 'Download' }).click();
    const download = page.waitForEvent('download');
    await confirm(page, eva.password, 'Download');
    const archive = unzipSync(await readFile(await (await download).path()));
    expect(Buffer.from(archive['profile.json'] ?? []).toString()).toContain(eva.email);
    // Only the request before the log-in and the wrong password are rejected.
    expect(complaints.filter((text) => !/status of 40[13]/.test(text))).toEqual([]);
    await opened.close();
  });
});

describe.runIf(canLookInside).for(visits)('on a $screen in $locale,', (visit) => {
  test('the export is readable in each state, with its dialog, in light and dark', async () => {
    const person = await newPerson('Rui');
    const opened = await openBrowser(visit);
    const { page } = await newPage(opened);
    const { request, making } = names[visit.locale];
    await page.goto(siteUrl('account'));
    await page.getByRole('link', { name: /Log in|Entrar/ }).click();
    await person.logIn(page);
    await page.getByRole('button', { name: request }).click();
    await page.getByRole('dialog').waitFor();
    await expectReadable(page, visit, 'export-dialog');
    await page.getByRole('dialog').locator('input[type="password"]').fill(person.password);
    await page.getByRole('dialog').getByRole('button', { name: request }).click();
    await page.getByText(making).waitFor();
    await expectReadable(page, visit, 'export-making');
    await ownService().invoke('makeExports', {});
    await page.getByRole('button', { name: names[visit.locale].download }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectReadable(page, visit, 'export-ready');
    await opened.close();
  });
});
