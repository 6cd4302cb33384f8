/** The dashboard in a browser: every page on both screens, in both color schemes and languages, and what owners do there. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildDashboard } from '../../infra/local/dashboard/build-dashboard.ts';
import { type Service, startService } from '../../infra/local/host.ts';
import { scopes } from '../../shared/contracts/scopes.ts';
import { createAccount } from '../../shared/domain/accounts/create-account.ts';
import { createToken } from '../../shared/domain/tokens/create-token.ts';
import { webhookSecretsOf } from '../../shared/platform/webhook-secrets.ts';
import { sessionCookie } from '../../shared/runtime/cookies.ts';
import { giveSession } from '../support/given-session.ts';
import { type Screen, screens, startBrowser } from './browser.ts';
import { isCapable } from './target.ts';

const canBrowse = isCapable('browser');
const screenshots = join('build', 'screenshots');

let browser: Browser;
let service: Service;
let dataDir: string;
let accountId: string;
let token: string;

beforeAll(async () => {
  if (!canBrowse) return;
  mkdirSync(screenshots, { recursive: true });
  await buildDashboard();
  dataDir = mkdtempSync(join(tmpdir(), 'dashboard-e2e-'));
  service = await startService({
    port: 0,
    dataDir,
    inMemory: true,
    hasIdentity: true,
    urlPolicy: 'local',
    engineCompletion: 'callback',
    engine: { latencyMs: 0, failure: 'none' },
    onDatabaseExit: (reason) => {
      throw new Error(reason);
    },
  });
  const { context } = service;
  ({ accountId } = await createAccount(context, { email: 'ana@example.com', name: 'Ana', credits: 1000 }));
  const webhookSecrets = webhookSecretsOf(context);
  ({ token } = await createToken({ ...context, webhookSecrets }, { accountId, name: 'Shop', scopes }));
  browser = await startBrowser();
});
afterAll(async () => {
  if (!canBrowse) return;
  await browser.close();
  await service.close();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Visit {
  readonly screen?: Screen;
  readonly colorScheme?: 'light' | 'dark';
  readonly locale?: 'en-US' | 'pt-BR';
}

/** A browser of somebody who is not logged in. */
const openBrowser = ({ screen = 'desktop', colorScheme = 'light', locale = 'en-US' }: Visit): Promise<BrowserContext> =>
  browser.newContext({ viewport: screens[screen], colorScheme, locale });

/** A browser of the account's owner; sessions have their own rate limits. */
async function ownersBrowser(visit: Visit = {}): Promise<BrowserContext> {
  const { cookie } = await giveSession(service.context, accountId);
  const [name = '', value = ''] = cookie.split('=');
  const opened = await openBrowser(visit);
  await opened.addCookies([{ name, value, url: service.url }]);
  return opened;
}

/** What the browser complains about: errors in the console, such as violations of the content security policy. */
async function newPage(opened: BrowserContext): Promise<{ page: Page; complaints: string[] }> {
  const page = await opened.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
}

const open = async (page: Page, path: string) => {
  await page.goto(`${service.url}/account/${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
};

/** Sends a request as the account's back end does, and returns its data. */
async function request(path: string, body: object): Promise<Record<string, string>> {
  const response = await fetch(`${service.url}/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { data: Record<string, string> }).data;
}

const speak = async (text: string): Promise<string> =>
  (await request('generate/voice', { text, voice: 'sarah' })).taskId ?? '';

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResult;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

const visits = [
  { screen: 'phone', colorScheme: 'light', locale: 'pt-BR' },
  { screen: 'phone', colorScheme: 'dark', locale: 'en-US' },
  { screen: 'desktop', colorScheme: 'light', locale: 'en-US' },
  { screen: 'desktop', colorScheme: 'dark', locale: 'pt-BR' },
] as const satisfies readonly Visit[];

describe.runIf(canBrowse).for(visits)('on the screen of a $screen, $colorScheme', (visit) => {
  const pages = ['', 'tasks', 'tokens', 'webhooks', 'billing', 'account', 'no/such/page'];

  test('every page fits, is accessible, and breaks no rule of its security policy', async () => {
    const taskId = await speak('Olá! O seu vídeo está pronto.');
    const opened = await ownersBrowser(visit);
    const { page, complaints } = await newPage(opened);
    for (const path of [...pages, `tasks/${taskId}`]) {
      await open(page, path);
      await page.waitForLoadState('networkidle');
      const name = `dashboard-${path.replaceAll(/\W+/g, '-').slice(0, 12) || 'overview'}`;
      const { screen, colorScheme, locale } = visit;
      await page.screenshot({ path: join(screenshots, `${name}-${screen}-${colorScheme}.png`), fullPage: true });
      expect(await page.getAttribute('html', 'lang'), path).toBe(locale === 'pt-BR' ? 'pt-BR' : 'en');
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(screens[screen].width);
      expect(await accessibilityProblems(page), path).toEqual([]);
    }
    expect(complaints).toEqual([]);
    await opened.close();
  });
});

/** Each is at the identity provider's page when it begins. */
const logIns: readonly (readonly [provider: string, screen: Screen, logIn: (page: Page) => Promise<void>])[] = [
  [
    'a password',
    'desktop',
    async (page) => {
      service.identity?.users.addWithPassword({ email: 'bia@example.com', name: 'Bia' }, 'a long password');
      await page.getByLabel('E-mail').fill('bia@example.com');
      await page.getByLabel('Password').fill('a long password');
      await page.getByRole('button', { name: 'Log in', exact: true }).click();
    },
  ],
  [
    'Google',
    'phone',
    async (page) => {
      await page.getByRole('button', { name: 'Continue with Google' }).click();
      await page.getByLabel('E-mail').fill('caio@example.com');
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
    },
  ],
];

describe.runIf(canBrowse)('somebody new', () => {
  test.for(logIns)(
    'logs in with %s, comes back to the page that was asked for, and logs out',
    async ([, screen, logIn]) => {
      const opened = await openBrowser({ screen });
      const { page, complaints } = await newPage(opened);
      // Another site than the identity provider's, as on AWS.
      await page.goto(`${service.url.replace('127.0.0.1', 'localhost')}/account/tasks?status=failed`);
      await page.getByRole('link', { name: 'Log in' }).click();
      await logIn(page);
      await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
      expect(page.url()).toMatch(/\/account\/tasks\?status=failed$/);
      expect(await page.getByLabel('Status').inputValue()).toBe('failed');
      const isLoggedIn = async () => (await opened.cookies()).some(({ name }) => name === sessionCookie);
      expect([await isLoggedIn(), await page.evaluate('document.cookie')]).toEqual([true, '']);
      await page.getByRole('link', { name: 'Account', exact: true }).click();
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByRole('link', { name: 'Log in' }).waitFor();
      expect(await isLoggedIn()).toBe(false);
      expect(complaints.filter((complaint) => !complaint.includes('401'))).toEqual([]);
      await opened.close();
    },
  );
});

describe.runIf(canBrowse)('somebody with a password', () => {
  test('creates a token with it: a wrong one is told in its field, and the secrets are shown once', async () => {
    service.identity?.users.addWithPassword({ email: 'duda@example.com', name: 'Duda' }, 'a long password');
    const opened = await openBrowser({});
    const { page } = await newPage(opened);
    await page.goto(`${service.url.replace('127.0.0.1', 'localhost')}/account/tokens/new?problem=expired`);
    // An earlier attempt came to nothing: the page says so until somebody is logged in.
    await page.getByText('This log-in took too long or was already used.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.getByLabel('E-mail').fill('duda@example.com');
    await page.getByLabel('Password').fill('a long password');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Create token' }).waitFor();
    expect(await page.getByText('This log-in took too long').count()).toBe(0);
    await page.getByLabel('Name').fill('Shop');
    await page.getByLabel('Read the profile').check();
    await page.getByLabel('Your password').fill('a wrong password');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText('This is not your password.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel('Your password').fill('a long password');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your token is ready' }).waitFor();
    const secret = (await page.locator('.secret').first().textContent()) ?? '';
    const profile = await fetch(`${service.url}/api/v1/profile`, { headers: { authorization: `Bearer ${secret}` } });
    expect(profile.status).toBe(200);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'I have stored both' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Shop' }).getByText('Active').waitFor();
    await page.goBack();
    expect(await page.content()).not.toContain(secret);
    await opened.close();
  });
});

describe.runIf(canBrowse)('an owner', () => {
  test('who is not logged in gets a page that leads to the log-in and back', async () => {
    const opened = await openBrowser({});
    const { page } = await newPage(opened);
    await open(page, 'tasks?status=failed');
    const target = await page.getByRole('link', { name: 'Log in' }).getAttribute('href');
    expect(target).toBe(`/account/api/login?returnTo=${encodeURIComponent('/account/tasks?status=failed')}`);
    expect(await accessibilityProblems(page)).toEqual([]);
    await opened.close();
  });

  test('sees a new task appear and end without doing anything, and opens it', async () => {
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
    const repeat = page.locator('figure').filter({ hasText: 'Run it again' }).locator('pre');
    expect(await repeat.textContent()).toContain(`${service.url}/api/v1/generate/voice`);
    expect(complaints).toEqual([]);
    await opened.close();
  });

  test('sees what the month cost, by operation and by token', async () => {
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

  test('revokes a token, after being asked, and it stops working at once', async () => {
    const { context } = service;
    const webhookSecrets = webhookSecretsOf(context);
    const old = await createToken({ ...context, webhookSecrets }, { accountId, name: 'Old shop', scopes });
    const profile = () => fetch(`${service.url}/api/v1/profile`, { headers: { authorization: `Bearer ${old.token}` } });
    expect((await profile()).status).toBe(200);
    const opened = await ownersBrowser({ screen: 'phone' });
    const { page, complaints } = await newPage(opened);
    await open(page, 'tokens');
    await page.getByRole('button', { name: 'Revoke: Old shop' }).click();
    expect((await profile()).status).toBe(200);
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('listitem').filter({ hasText: 'Old shop' }).getByText('Revoked').waitFor();
    expect((await profile()).status).toBe(401);
    expect(complaints).toEqual([]);
    await opened.close();
  });

  test('cancels a task that hangs, after being asked', async () => {
    const opened = await ownersBrowser();
    const { page } = await newPage(opened);
    await open(page, `tasks/${await speak('[offline:hang]')}`);
    await page.getByRole('button', { name: 'Cancel task' }).click();
    const question = page.getByRole('dialog');
    await question.getByRole('button', { name: 'Cancel task' }).click();
    await page.getByText('The task was canceled, and its credits were returned.').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel task' }).count()).toBe(0);
    await opened.close();
  });

  test('buys a pack, whose page turns to paid by itself', async () => {
    const opened = await ownersBrowser({ screen: 'phone' });
    const { page, complaints } = await newPage(opened);
    await open(page, 'billing');
    await page.getByRole('button', { name: /^Buy: 500/ }).click();
    await page.getByAltText('QR code of the PIX payment').waitFor();
    const code = (await page.locator('.secret').textContent()) ?? '';
    const payer = await opened.newPage();
    await payer.goto(service.payments.url);
    await payer.getByLabel('PIX code of an order').fill(code);
    await payer.getByRole('button', { name: 'Continue' }).click();
    await payer.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByText('500 credits were added to your balance.').waitFor();
    expect(complaints).toEqual([]);
    await opened.close();
  });

  test('chooses the language, which stays', async () => {
    const opened = await ownersBrowser();
    const { page } = await newPage(opened);
    await open(page, 'account');
    await page.getByText('Português', { exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Conta' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Conta' }).waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe('pt-BR');
    await opened.close();
  });
});
