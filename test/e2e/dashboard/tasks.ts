/** What owners see of their tasks and can do with them, and what the tasks cost. */
import { describe, expect, test } from 'vitest';
import { canTestPages, dashboard, newPage, open, ownersBrowser, speak } from './dashboard-harness.ts';

describe.runIf(canTestPages)('on the pages of tasks, an owner', () => {
  test('sees a new task appear and complete without reloading, and opens it', async () => {
    const opened = await ownersBrowser();
    const { page, complaints } = await newPage(opened);
    await open(page, 'tasks');
    const text = 'Uma frase que aparece sozinha.';
    const taskId = await speak(text);
    const card = page.getByRole('article').filter({ has: page.locator(`a[href$="${taskId}"]`) });
    await card.getByText('Completed').waitFor();
    await card.getByRole('link').click();
    await page.getByText(text).first().waitFor();
    await page.getByRole('link', { name: 'Open file' }).waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem');
    await timeline.filter({ hasText: 'Completed' }).waitFor();
    expect(await timeline.first().textContent()).toContain('Accepted · 1 credit');
    const repeat = page.locator('figure').filter({ hasText: 'Run it again' }).locator('pre');
    expect(await repeat.textContent()).toContain(`'${dashboard().apiUrl}/api/v1/generate/voice'`);
    expect(await repeat.textContent()).toContain(`-d '{"text":"${text}","voice":"sarah"}'`);
    expect(complaints).toEqual([]);
    await opened.close();
  });

  test('sees the waveforms of recordings in the list, and plays one at a time', async () => {
    await speak('Uma frase para ouvir.');
    await speak('Outra frase para ouvir.');
    const opened = await ownersBrowser();
    const { page, complaints } = await newPage(opened);
    await open(page, 'tasks?status=completed');
    const other = page.getByRole('button', { name: 'Play: Outra frase para ouvir.' });
    // Speech has louder and quieter parts, and pauses between words.
    const heights = () =>
      other.locator('rect').evaluateAll((all) => all.map((bar) => Number(bar.getAttribute('height'))));
    await expect.poll(async () => new Set(await heights()).size).toBeGreaterThan(5);
    expect(Math.max(...(await heights()))).toBe(20);
    await other.press('Enter');
    await page.getByRole('button', { name: 'Pause: Outra frase para ouvir.' }).waitFor();
    await page.getByRole('button', { name: 'Play: Uma frase para ouvir.' }).first().press('Enter');
    await page.getByRole('button', { name: 'Play: Outra frase para ouvir.' }).waitFor();
    expect(complaints).toEqual([]);
    await opened.close();
  });

  test('opens a filtered list by its URL, even if a filter value looks like a number', async () => {
    const opened = await ownersBrowser();
    const { page } = await newPage(opened);
    await open(page, 'tasks?status=completed&reference=00123');
    expect(await page.getByLabel('Status').inputValue()).toBe('completed');
    expect(await page.getByLabel('Your reference').inputValue()).toBe('00123');
    await page.getByLabel('Your reference').fill('007');
    await page.getByLabel('Your reference').press('Enter');
    await page.waitForURL(({ search }) => search === '?status=completed&reference=007');
    await opened.close();
  });

  test('sees the cost of the month, by operation and by token', async () => {
    await speak('Uma frase que custa um crédito.');
    const opened = await ownersBrowser();
    const { page } = await newPage(opened);
    await open(page, '');
    const shares = page.getByRole('region', { name: /^Credits spent by day/ });
    await shares.getByText('Speech').waitFor();
    await shares.getByText('Shop').waitFor();
    expect(await shares.getByRole('table').getByRole('row').count()).toBe(new Date().getUTCDate() + 1);
    await opened.close();
  });

  test('cancels a hanging task after confirming', async () => {
    const opened = await ownersBrowser();
    const { page } = await newPage(opened);
    await open(page, `tasks/${await speak('[offline:hang]')}`);
    await page.getByRole('button', { name: 'Cancel task' }).click();
    const question = page.getByRole('dialog');
    await question.getByRole('button', { name: 'Cancel task' }).click();
    await page.getByText('The task was canceled, and the credits were returned.').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel task' }).count()).toBe(0);
    await opened.close();
  });

  test('deletes a task after confirming, and returns to the list without it', async () => {
    const [kept, taskId] = [await speak('Uma frase que fica.'), await speak('Uma frase que será apagada.')];
    const opened = await ownersBrowser();
    const { page } = await newPage(opened);
    await open(page, `tasks/${taskId}`);
    await page.getByRole('button', { name: 'Delete task' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete task' }).click();
    await page.waitForURL(({ pathname }) => pathname.endsWith('/tasks'));
    await page.locator(`article a[href$="${kept}"]`).waitFor();
    expect(await page.locator(`article a[href$="${taskId}"]`).count()).toBe(0);
    await open(page, `tasks/${taskId}`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await opened.close();
  });
});
