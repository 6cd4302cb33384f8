/** Operators: how they log in, and how long their sessions last. */
import { describe, expect, test } from 'vitest';
import { dashboardContracts } from '../../shared/contracts/dashboard.ts';
import { operateContracts } from '../../shared/contracts/operate.ts';
import { operatorLoginRoutes } from '../../shared/contracts/operate-login.ts';
import type { OperationContract } from '../../shared/contracts/operation.ts';
import { type OperatorRole, operatorRoles } from '../../shared/contracts/operator-roles.ts';
import { registry } from '../../shared/contracts/registry.ts';
import { groupOf } from '../../shared/domain/operator-sessions/operator-groups.ts';
import { callAsOperator, giveOperator } from '../support/given-operator.ts';
import { callAsPage, callPage } from '../support/given-session.ts';
import { loggingIn } from '../support/logging-in.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { testBrowser } from '../support/test-browser.ts';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests({ clock: stillClock(), hasIdentity: true });
const { asGoogle, dashboard, homeOf, isKnownToProvider, provider } = loggingIn(host);

test('the session of an operator opens no operation of account owners', async () => {
  const { cookie } = await giveOperator(host.service.context, 'admin');
  const shared = Object.values<OperationContract>(registry).filter((one) => one.dashboard);
  const own = Object.values(dashboardContracts).map(({ operationId }) => operationId);
  for (const operationId of [...own, ...shared.map((one) => one.operationId as 'getProfile')]) {
    for (const sent of [cookie, cookie.replace('operator=', 'session=')]) {
      const example = { ...dashboardContracts, ...registry }[operationId].example as {
        params?: Record<string, string>;
      };
      const params = example.params ? { params: example.params } : {};
      expect([operationId, (await callAsPage(host.url, operationId, { cookie: sent, ...params })).status]).toEqual([
        operationId,
        401,
      ]);
    }
  }
});

test('the published contract of the API does not mention the operators’ operations', async () => {
  expect(await (await fetch(`${host.url}/openapi.json`)).text()).not.toContain('/operate/');
});

describe('logging in as an operator', () => {
  const loginUrl = (query = '') => `${dashboard}${operatorLoginRoutes.startOperatorLogin.path}${query}`;

  const addressFor = (groups: readonly string[]) =>
    `operator${Math.abs(host.clock.now())}-${groups.join('-')}@example.com`;

  async function logIn(groups: readonly string[], query = '', email = addressFor(groups)) {
    const browser = testBrowser();
    const password = 'right horse';
    provider.users.addWithPassword({ email, name: 'Ana', groups }, password);
    const page = await browser.visit(loginUrl(query));
    const done = await browser.submit(`${page.url}/password`, { email, password });
    return { browser, email, done };
  }

  const sessionIn = async (browser: ReturnType<typeof testBrowser>) => {
    const { body, status } = await callAsOperator(host.url, 'getOperator', { cookie: browser.header(dashboard) });
    return { status, ...(body.data as object) };
  };

  test.each(operatorRoles)('gives a member of the group of the role %s that role', async (role: OperatorRole) => {
    const { browser, done, email } = await logIn([groupOf(role), 'others'], '?returnTo=/operate/tasks?state=failed');
    expect(homeOf(done.url)).toBe('/operate/tasks?state=failed');
    expect(await sessionIn(browser)).toMatchObject({ status: 200, email, role });
    expect(isKnownToProvider(browser)).toBe(false);
  });

  test('creates no session for a user who is in no operator group', async () => {
    const { browser, done } = await logIn(['admin', 'operators', 'operators-']);
    expect(homeOf(done.url)).toBe('/operate/?problem=not-operator');
    expect(browser.cookie(dashboard, 'operator')).toBeUndefined();
    expect(isKnownToProvider(browser)).toBe(false);
  });

  test('creates no session for an operator without a valid address, by which sessions are listed', async () => {
    const { browser, done } = await logIn([groupOf('viewer')], '', 'ana(desk)@example.com');
    expect(homeOf(done.url)).toBe('/operate/?problem=no-email');
    expect(browser.cookie(dashboard, 'operator')).toBeUndefined();
  });

  test('keeps its cookie away from scripts, other sites and the dashboard', async () => {
    const { browser } = await logIn([groupOf('viewer')]);
    const [cookie] = (await callAsOperator(host.url, 'logOutOperator', { cookie: browser.header(dashboard) })).cookies;
    expect(cookie).toBe('operator=; Path=/operate; Max-Age=0; HttpOnly; SameSite=Strict');
    expect((await sessionIn(browser)).status).toBe(401);
  });

  test('ends the browser’s earlier session, although its cookie does not arrive with the provider’s redirect', async () => {
    const { browser, email } = await logIn([groupOf('viewer')]);
    const before = browser.header(dashboard);
    const page = await browser.visit(loginUrl());
    const callback = `${dashboard}/operate/api/callback`;
    const sent = await browser.submit(`${page.url}/password`, { email, password: 'right horse' }, { until: callback });
    browser.setCookie(dashboard, 'operator', '');
    await browser.visit(sent.url);
    expect((await sessionIn(browser)).status).toBe(200);
    expect((await callAsOperator(host.url, 'getOperator', { cookie: before })).status).toBe(401);
  });

  test.each(['https://evil.example/operate/', '/account/', '/operate/api/logout', '//evil.example', ''])(
    'never redirects to “%s”',
    async (requested) => {
      const { done } = await logIn([groupOf('viewer')], `?returnTo=${encodeURIComponent(requested)}`);
      expect(homeOf(done.url)).toBe('/operate/');
    },
  );

  test('is not completed by the log-in of an account owner', async () => {
    const browser = testBrowser();
    const callbackOf = (path: string) => `${dashboard}${path}`;
    const [owners, operators] = ['/account/api/callback', '/operate/api/callback'].map(callbackOf);
    const started = await browser.visit(`${dashboard}/account/api/login?provider=Google`);
    const returned = await asGoogle(browser, started, 'owner@example.com', owners);
    browser.setCookie(dashboard, 'operator-login', browser.cookie(dashboard, 'login') ?? '');
    const crossed = await browser.visit(returned.url.replace(String(owners), String(operators)));
    expect(homeOf(crossed.url)).toBe('/operate/?problem=expired');
    expect(browser.cookie(dashboard, 'operator')).toBeUndefined();
  });
});

describe('an operator’s session', () => {
  const statusOf = async (cookie: string) => (await callAsOperator(host.url, 'getOperator', { cookie })).status;

  test('ends after half an hour without a request', async () => {
    const { cookie } = await giveOperator(host.service.context, 'viewer');
    host.clock.advance(30 * 60_000 - 1);
    expect(await statusOf(cookie)).toBe(200);
    host.clock.advance(30 * 60_000);
    expect(await statusOf(cookie)).toBe(401);
  });

  test('ends after eight hours, even if it is in use', async () => {
    const { cookie } = await giveOperator(host.service.context, 'viewer');
    for (let minutes = 0; minutes < 8 * 60 - 20; minutes += 20) {
      host.clock.advance(20 * 60_000);
      expect(await statusOf(cookie)).toBe(200);
    }
    host.clock.advance(20 * 60_000);
    expect(await statusOf(cookie)).toBe(401);
  });

  test('admits 120 requests in a minute, and then says when to retry', async () => {
    const { cookie } = await giveOperator(host.service.context, 'viewer');
    const statuses = await Promise.all(Array.from({ length: 125 }, () => statusOf(cookie)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(120);
    const limited = await callPage(host.url, operateContracts.getOperator, { cookie });
    expect([limited.status, limited.body.error?.code]).toEqual([429, 'RATE_LIMITED']);
    host.clock.advance(1000 * Number(limited.headers['retry-after']));
    expect(await statusOf(cookie)).toBe(200);
  });
});
