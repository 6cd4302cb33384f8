/** Logging in to a test service through the pages of its local identity provider. */
import { callAsPage } from './given-session.ts';
import type { TestBrowser } from './test-browser.ts';
import type { TestService } from './test-service.ts';

type Standing = { status: number } & Partial<Record<'accountId' | 'sessionId' | 'confirmedUntil', string>>;

export function loggingIn(host: TestService) {
  const provider = host.service.identity;
  if (!provider) throw new Error('there is no identity provider');
  const dashboard = host.service.context.settings.dashboardUrl;

  let people = 0;
  const newEmail = () => {
    people += 1;
    return `person${people}@example.com`;
  };

  const homeOf = (text: string) => text.slice(dashboard.length);
  const loginUrl = (query = '') => `${dashboard}/account/api/login${query}`;

  /** Logs in at the substitute for Google, on a page that requires it. */
  async function asGoogle(browser: TestBrowser, page: { url: string }, email: string, until?: string) {
    return browser.submit(`${page.url.replace(/\/google$/, '')}/google`, { email }, until ? { until } : {});
  }

  async function logIn(browser: TestBrowser, email: string, query = '?provider=Google&returnTo=/account/tokens') {
    return asGoogle(browser, await browser.visit(loginUrl(query)), email);
  }

  async function session(browser: TestBrowser): Promise<Standing> {
    const { body, status } = await callAsPage(host.url, 'getSession', { cookie: browser.header(dashboard) });
    return { status, ...(body.data as object) };
  }

  const callbackUrl = `${dashboard}/account/api/callback`;

  /** Whether the provider would log the browser in without asking. */
  const isKnownToProvider = (browser: TestBrowser) => /(?:^|; )_session=/.test(browser.header(provider.url));

  return { asGoogle, callbackUrl, dashboard, homeOf, isKnownToProvider, logIn, loginUrl, provider, session, newEmail };
}
