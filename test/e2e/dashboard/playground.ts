/** The playground as a new owner uses it: without a token, without a program, and without the documentation. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pictured } from '../../../dashboard/pages/playground/pictured.ts';
import { makeVoicePreviews } from '../../../infra/voice-previews.ts';
import { testPurseCredits } from '../../../shared/contracts/limits.ts';
import { createAccount } from '../../../shared/domain/accounts/create-account.ts';
import { clipEngines } from '../../../shared/engines/clip-engines.ts';
import { tinyPng } from '../../support/tiny-image.ts';
import { accessibilityProblems } from '../browser.ts';
import {
  canBrowse,
  canLookInside,
  dashboard,
  givenToken,
  newAccount,
  newPage,
  open,
  ownersBrowser,
  ownService,
} from './dashboard-harness.ts';

const choose = (page: Page, operation: string) => page.getByLabel('Operation').selectOption({ label: operation });
const generate = (page: Page) => page.getByRole('button', { name: 'Generate' }).click();
const result = (page: Page) => page.getByRole('region', { name: 'Result', exact: true });
const price = (page: Page) => page.getByRole('status', { name: 'Price' });

/** The addresses of the results. */
const shown = (page: Page, element: string) =>
  result(page)
    .locator(element)
    .evaluateAll((all) => all.map((one) => one.getAttribute('src')));

/** How many voices the API lists with a recording. */
async function recordedVoices(): Promise<number> {
  const response = await fetch(`${dashboard().apiUrl}/api/v1/voices`);
  return [...(await response.text()).matchAll(/"previewUrl":"/g)].length;
}

/** The width of an image's file; 0 until it has been loaded. */
const widthOf = (picture: Locator) => picture.evaluate((one) => ('naturalWidth' in one ? one.naturalWidth : 0));

const image = { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from(tinyPng(600, 600)) };

describe.runIf(canLookInside)('in the playground, an owner of a new account', () => {
  test('generates speech, an image, a video and clips in test mode, and reads that a failure gave the credits back', async () => {
    const accountId = await newAccount('Nina');
    const opened = await ownersBrowser({}, { accountId });
    const { page, complaints } = await newPage(opened);
    await open(page, 'playground');
    await price(page)
      .getByText(`Costs 1 test credit · ${testPurseCredits.toLocaleString('en')} test credits left`)
      .waitFor();
    await generate(page);
    await result(page).getByText('Completed').waitFor();
    expect(await shown(page, 'audio')).toHaveLength(1);
    expect(await accessibilityProblems(page)).toEqual([]);

    await choose(page, 'Image');
    await price(page).getByText('Costs 8 test credits').waitFor();
    await generate(page);
    await result(page).getByText('Completed').waitFor();
    expect(await shown(page, 'img')).toHaveLength(2);

    await choose(page, 'Creative video');
    await page.locator('[data-field=imageUrl] input[type=file]').setInputFiles(image);
    await page.getByRole('button', { name: 'Remove photo.png' }).waitFor();
    await price(page).getByText('Costs').waitFor();
    await generate(page);
    await result(page).getByText('Completed').waitFor();
    expect(await shown(page, 'video')).toHaveLength(1);

    await choose(page, 'Image');
    await page.getByLabel('How the test ends').selectOption('content_rejected');
    await generate(page);
    await result(page).getByText('8 test credits came back').waitFor();
    await result(page).getByText('CONTENT_REJECTED').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    // Test tasks have the pages that live tasks have.
    await result(page).getByRole('link', { name: 'Details' }).click();
    await page.getByRole('heading', { name: 'Image · Test' }).waitFor();
    await page.getByRole('region', { name: 'Timeline' }).getByText('8 test credits').first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: '← Tasks' }).click();
    await expect.poll(() => page.locator('.task-card').count()).toBe(4);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel('Mode').selectOption('live');
    await expect.poll(() => page.locator('.task-card').count()).toBe(0);
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await result(page).getByText('CONTENT_REJECTED').waitFor();
    await expect.poll(() => page.getByLabel('How the test ends').inputValue()).toBe('content_rejected');

    // The form gets the values of the earlier task again. The test case, which was part of the text, is again a choice
    // of its own.
    await page.getByLabel('Prompt').fill('Something else');
    await page
      .getByRole('button', { name: /^Again/ })
      .first()
      .click();
    await expect.poll(() => page.getByLabel('Prompt').inputValue()).toBe('Um farol ao amanhecer');
    expect(await page.getByLabel('How the test ends').inputValue()).toBe('content_rejected');

    await choose(page, 'Clips');
    await page.getByLabel('Video: Or its https address').fill('https://www.youtube.com/watch?v=dQw4w9WgXcQ');
    await page.keyboard.press('Enter');
    // Clips are in no plan of a new account: the price says so.
    await price(page).getByText('Your session or plan does not permit this.').waitFor();
    expect(complaints.filter((text) => !text.includes('status of 403'))).toEqual([]);
    await opened.close();
  });

  test('creates a product for a Studio video in the form itself, and generates clips if the plan includes them', async () => {
    const { context } = dashboard().service;
    const otto = { email: 'otto@example.com', name: 'Otto', planId: 'business', credits: 0 };
    const { accountId } = await createAccount(context, otto);
    const opened = await ownersBrowser({}, { accountId });
    const { page, complaints } = await newPage(opened);
    await open(page, 'playground?operation=generateStudioVideo');
    await page.locator('[data-field=images] input[type=file]').setInputFiles(image);
    await page.getByRole('button', { name: 'Remove photo.png' }).waitFor();
    await page.getByLabel('Title').fill('Caneca');
    await page.getByLabel('Description').fill('Azul.');
    await page.getByRole('button', { name: 'Create' }).first().click();
    await page.getByRole('radio', { name: /^Caneca/ }).waitFor();
    await price(page).getByText('Costs 87 test credits').waitFor();
    await generate(page);
    await result(page).getByText('Completed').waitFor();
    expect(await shown(page, 'video')).toHaveLength(1);
    expect(await accessibilityProblems(page)).toEqual([]);
    await choose(page, 'Clips');
    await page.getByLabel('Video: Or its https address').fill('https://www.youtube.com/watch?v=dQw4w9WgXcQ');
    // The address counts without Enter.
    await generate(page);
    await result(page).getByText('Completed').waitFor();
    expect((await shown(page, 'video')).length).toBeGreaterThan(2);
    expect(complaints).toEqual([]);
    await opened.close();
  });

  test('keeps what was entered and uploaded after switching modes, and finds the form and the result again after a reload', async () => {
    const opened = await ownersBrowser({}, { accountId: await newAccount('Rita') });
    const { page, complaints } = await newPage(opened);
    await open(page, 'playground?operation=generateCreativeVideo');
    await page.getByLabel('Prompt').fill('A red boat');
    await page.locator('[data-field=imageUrl] input[type=file]').setInputFiles(image);
    await page.getByRole('button', { name: 'Remove photo.png' }).waitFor();
    await page.getByLabel('How the test ends').selectOption('progress');
    await price(page).getByText('test credits left').waitFor();
    await generate(page);
    await result(page).getByText('Processing').waitFor();
    await page.reload();
    await result(page).getByText('Processing').waitFor();
    await expect.poll(() => page.getByLabel('Prompt').inputValue()).toBe('A red boat');
    expect(await page.getByLabel('How the test ends').inputValue()).toBe('progress');
    expect(await page.getByRole('button', { name: 'Again: A red boat', exact: true }).count()).toBe(1);

    await page.locator('[data-field=imageUrl] input[type=file]').setInputFiles(image);
    await page.getByRole('button', { name: 'Remove photo.png' }).waitFor();
    const uploaded = page.waitForResponse((response) => response.url().endsWith('/files'));
    await page.getByText('Live', { exact: true }).click();
    expect((await uploaded).request().headers()['x-test-mode']).toBeUndefined();
    await page.getByRole('button', { name: 'Remove photo.png' }).waitFor();
    expect(await page.getByLabel('Prompt').inputValue()).toBe('A red boat');
    await choose(page, 'Image');
    expect(await page.getByLabel('Prompt').inputValue()).toBe('A red boat');
    await page.goBack();
    await expect.poll(() => page.getByLabel('Operation').inputValue()).toBe('generateCreativeVideo');
    expect(complaints).toEqual([]);
    await opened.close();
  });

  test('listens to voices, and sees a picture of each entry of the Studio’s catalog', async () => {
    const { context } = ownService();
    const previews = await makeVoicePreviews({ ...context, engines: clipEngines(context) });
    // Functions cache the catalog.
    await expect.poll(recordedVoices).toBe(previews.length);
    const opened = await ownersBrowser();
    const { page, complaints } = await newPage(opened);
    await open(page, 'playground');
    const buttons = page.getByRole('button', { name: /^Play: / });
    await expect.poll(() => buttons.count()).toBe(previews.length);
    await page.getByRole('button', { name: 'Play: Sarah' }).press('Enter');
    await page.getByRole('button', { name: 'Pause: Sarah' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await open(page, 'playground?operation=generateStudioVideo');
    const pictures = page.locator('.card > img.scene');
    await expect.poll(() => pictures.count()).toBe(pictured.length);
    for (const picture of await pictures.all()) {
      await picture.scrollIntoViewIfNeeded();
      await expect.poll(() => widthOf(picture)).toBe(192);
    }
    expect(complaints).toEqual([]);
    await opened.close();
  });

  test('is told at each field what is missing, with the keyboard alone', async () => {
    const opened = await ownersBrowser({ screen: 'phone' });
    const { page } = await newPage(opened);
    await open(page, 'playground?operation=generateImage');
    await page.getByLabel('Prompt').fill('');
    await page.getByLabel('Number of images').fill('9');
    await page.getByRole('button', { name: 'Generate' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('This is required.').waitFor();
    await page.getByText('Enter a number from 1 to 4.').waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.type('A lighthouse');
    await page.getByText('This is required.').waitFor({ state: 'detached' });
    await opened.close();
  });
});

describe.runIf(canBrowse)('in the playground of a local or deployed service, an owner', () => {
  test('generates a voice in test mode and live, and runs the copied code with a token', async () => {
    const opened = await ownersBrowser();
    const { page, complaints } = await newPage(opened);
    await open(page, 'playground');
    await price(page).getByText('Costs 1 test credit').waitFor();
    await generate(page);
    await result(page).getByText('Completed').waitFor();
    await open(page, 'playground?mode=live');
    await page.getByLabel('Text').fill('It’s "ready": $HOME');
    await price(page).getByText('Costs 1 credit').waitFor();
    await generate(page);
    await result(page).getByText('Completed').waitFor();
    const API_TOKEN = await givenToken('Copied code');
    const run = async () => {
      const code = await page.getByRole('figure').filter({ hasText: 'Idempotency-Key' }).locator('code').innerText();
      const { stdout } = await promisify(execFile)('bash', ['-c', code], { env: { ...process.env, API_TOKEN } });
      return JSON.parse(stdout) as { data: { taskId: string } };
    };
    const first = await run();
    expect(first).toMatchObject({ success: true, data: { status: 'queued' } });
    expect(await run()).toEqual(first);
    // A changed text makes a different request. It gets a new idempotency key, because with the old one the service
    // would return the response of the first request.
    await page.getByLabel('Text').fill('Something else');
    expect((await run()).data.taskId).not.toBe(first.data.taskId);
    expect(complaints).toEqual([]);
    await opened.close();
  });
});
