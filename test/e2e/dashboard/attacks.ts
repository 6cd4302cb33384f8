/** Attacks by another site in an owner's browser. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { localServer } from '../../support/local-server.ts';
import { canBrowse, newPage, open, ownersBrowser, siteUrl } from './dashboard-harness.ts';

/** A page that tries to change data in the dashboard in each way that browsers offer. */
const forgery = (target: string): string => `<!doctype html><title>Forgery</title>
<iframe name="result"></iframe>
<form method="post" action="${target}" target="result" enctype="text/plain"><input name='{"name":"' value='stolen"}'></form>
<script>
const write = (contentType) =>
  fetch('${target}', { method: 'POST', mode: contentType === 'text/plain' ? 'no-cors' : 'cors', credentials: 'include',
    headers: { 'content-type': contentType }, body: '{}' }).catch(() => undefined);
document.forms[0].submit();
Promise.all([write('text/plain'), write('application/json')]).then(() => { document.title = 'Done'; });
</script>`;

interface Write {
  readonly status: number;
  readonly hasCookie: boolean;
}

/** Records the dashboard's responses to requests that change data, from now on. */
function recordWrites(page: Page): Promise<Write>[] {
  const writes: Promise<Write>[] = [];
  page.on('response', (response) => {
    const request = response.request();
    if (request.method() !== 'POST') return;
    const headers = request.allHeaders();
    writes.push(headers.then(({ cookie = '' }) => ({ status: response.status(), hasCookie: cookie !== '' })));
  });
  return writes;
}

describe.runIf(canBrowse)('another site', () => {
  // Browsers treat another port of the same host as the same site, and send cookies to it.
  test.for([
    ['on another host', '127.0.0.1', false],
    ['on another port of the same host', 'localhost', true],
  ] as const)('%s cannot log an owner out', async ([, host, carriesCookies]) => {
    const evil = await localServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(forgery(siteUrl('api/logout')));
    });
    const opened = await ownersBrowser();
    try {
      const { page } = await newPage(opened);
      const writes = recordWrites(page);
      const submitted = page.waitForResponse(
        (response) => response.request().isNavigationRequest() && response.url() === siteUrl('api/logout'),
      );
      await page.goto(evil.url.replace('127.0.0.1', host));
      await submitted;
      await page.waitForFunction('document.title === "Done"');
      const results = await Promise.all(writes);
      expect(results.length).toBeGreaterThanOrEqual(2);
      expect(results.filter(({ status }) => status < 400)).toEqual([]);
      expect(results.some(({ hasCookie }) => hasCookie)).toBe(carriesCookies);
      await open(page, 'account');
      await page.getByRole('button', { name: 'Log out' }).waitFor();
    } finally {
      await Promise.all([opened.close(), evil.close()]);
    }
  });
});
