/** The two users who can log in to the demo account of a local service. */
import { expect, test } from 'vitest';
import { demoLogIns } from '../../../infra/local/demo-account.ts';
import { callAsPage } from '../../support/given-session.ts';
import { type TestBrowser, testBrowser } from '../../support/test-browser.ts';
import { serviceInTests } from '../../support/test-service.ts';

const host = await serviceInTests({ hasIdentity: true });

async function accountOf(browser: TestBrowser): Promise<unknown> {
  const cookie = browser.header(host.service.context.settings.dashboardUrl);
  const { body } = await callAsPage(host.url, 'getSession', { cookie });
  return (body.data as { accountId: string } | undefined)?.accountId;
}

test('both demo owners log in to the demo account, also after a restart', async () => {
  const { accountId } = await host.account();
  for (const start of ['first', 'second']) {
    const { google, password, url } = await demoLogIns(host.service, accountId);
    const [, email = '', secret = ''] = /^(\S+), password (\S+)$/.exec(password) ?? [];
    const [byPassword, byGoogle] = [testBrowser(), testBrowser()];
    const page = await byPassword.visit(`${url}api/login`);
    await byPassword.submit(`${page.url}/password`, { email, password: secret });
    expect(await accountOf(byPassword), start).toBe(accountId);
    const choice = await byGoogle.visit(`${url}api/login?provider=Google`);
    expect(choice.text).toContain(google);
    await byGoogle.submit(`${choice.url}/google`, { email: google });
    expect(await accountOf(byGoogle), start).toBe(accountId);
  }
});
