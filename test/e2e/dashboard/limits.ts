/** The pages' behavior when their session has sent too many requests. */
import { describe, expect, test } from 'vitest';
import { accessibilityProblems } from '../browser.ts';
import { canTestPages, newPage, open, ownersBrowser } from './dashboard-harness.ts';

const rejected = {
  status: 429,
  headers: { 'retry-after': '600' },
  json: { success: false, error: { code: 'RATE_LIMITED', message: 'Too many requests: wait a moment.' } },
};

describe.runIf(canTestPages)('a dashboard session with too many requests', () => {
  test('shows how long it pauses, sends nothing until then, and continues automatically', async () => {
    const opened = await ownersBrowser();
    const { page } = await newPage(opened);
    await page.clock.install();
    await open(page, 'tasks');
    await page.route('**/account/api/tasks?*', (route) => route.fulfill(rejected));
    await page.clock.runFor(11_000);
    await page.getByText(/^Too many requests: the pages continue in \d+ s$/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.unroute('**/account/api/tasks?*');
    const requests: string[] = [];
    page.on('request', (request) => request.url().includes('/account/api/') && requests.push(request.url()));
    await page.clock.runFor(300_000);
    expect(requests).toEqual([]);
    const next = page.waitForResponse('**/account/api/tasks?*');
    await page.clock.runFor(301_000);
    expect((await next).status()).toBe(200);
    await page.getByText(/^Too many requests/).waitFor({ state: 'detached' });
    await opened.close();
  });
});
