/** The log lines of a log-in: which log-in and whose account, but none of its secrets. */
import { Logger } from '@aws-lambda-powertools/logger';
import { expect, test } from 'vitest';
import { callAsPage } from '../support/given-session.ts';
import { testBrowser } from '../support/test-browser.ts';
import { serviceInTests } from '../support/test-service.ts';

const lines: unknown[] = [];

const host = await serviceInTests({ hasIdentity: true });
const logger = new (class extends Logger {
  protected override printLog(...[, line]: Parameters<Logger['printLog']>) {
    lines.push(line);
  }
})({ logLevel: 'DEBUG' });
host.service.bind({ ...host.service.context, logger });

test('a log-in writes a log line for each of its requests, without cookies, codes, passwords or addresses', async () => {
  const dashboard = host.service.context.settings.dashboardUrl;
  const [email, password] = ['canary-of-a-log-in@example.com', 'canary-password'];
  host.service.identity?.users.addWithPassword({ email, name: 'Ana' }, password);
  const browser = testBrowser();
  const page = await browser.visit(`${dashboard}/account/api/login?returnTo=/account/canary-page`);
  const binding = browser.cookie(dashboard, 'login') ?? '';
  const done = await browser.submit(`${page.url}/password`, { email, password });
  const callback = new URL(done.trail.find((url) => url.includes('/account/api/callback')) ?? '');
  const cookie = browser.header(dashboard);
  const session = browser.cookie(dashboard, 'session') ?? '';
  await callAsPage(host.url, 'getSession', { cookie });
  await browser.visit(callback.href);

  const text = JSON.stringify(lines);
  for (const operation of ['startLogin', 'completeLogin', 'returnHome', 'getSession'])
    expect(text).toContain(operation);
  expect(text).toContain('expired');
  const query = ['code', 'state'].map((name) => callback.searchParams.get(name) ?? '');
  for (const secret of [...query, binding, session, email, password, 'canary-page']) {
    expect(secret.length).toBeGreaterThan(8);
    expect(text).not.toContain(secret);
  }
});
