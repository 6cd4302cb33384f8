/** What the pages do when their session has sent too many requests. */
import { describe, expect, test } from 'vitest';
import { sessionRequestsPerMinute } from '../../../shared/contracts/limits.ts';
import { sessionKey } from '../../../shared/domain/keys.ts';
import { sessionDigest } from '../../../shared/domain/sessions/session.ts';
import { accessibilityProblems, canBrowse, dashboard, newPage, open, ownersBrowser } from './dashboard-harness.ts';
import { sessionCookieOf } from './people.ts';

const rejected = {
  status: 429,
  headers: { 'retry-after': '600' },
  json: { success: false, error: { code: 'RATE_LIMITED', message: 'Too many requests: wait a moment.' } },
};

describe.runIf(canBrowse)('a dashboard session with too many requests', () => {
  test('sees how long it must wait', async () => {
    const { context } = dashboard().service;
    const opened = await ownersBrowser();
    const { page } = await newPage(opened);
    await open(page, 'tasks');
    const secret = (await sessionCookieOf(opened)).split('=')[1] ?? '';
    const later = context.clock.now() + 3_600_000;
    await context.table.update({
      Key: sessionKey(sessionDigest(secret)),
      UpdateExpression: 'SET rl = :log',
      ExpressionAttributeValues: { ':log': Array.from({ length: sessionRequestsPerMinute }, () => later) },
    });
    await page.getByText(/^Too many requests: the pages continue in \d+ s$/).waitFor();
    await opened.close();
  });

  test('sees how long the pages wait, sends nothing until then, and continues automatically', async () => {
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
