/** What all tests of the dashboard share: a service with an account, in this process or deployed, and one browser. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@aws-lambda-powertools/logger';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { connect } from '../../../infra/cli/service.ts';
import { buildDashboard } from '../../../infra/local/dashboard/build-dashboard.ts';
import { type Service, startService } from '../../../infra/local/host.ts';
import { scopes } from '../../../shared/contracts/scopes.ts';
import { createAccount } from '../../../shared/domain/accounts/create-account.ts';
import { createToken } from '../../../shared/domain/tokens/create-token.ts';
import { webhookSecretsOf } from '../../../shared/platform/webhook-secrets.ts';
import { giveSession } from '../../support/given-session.ts';
import { type Screen, screens, startBrowser } from '../browser.ts';
import { isCapable, target } from '../target.ts';

export const canBrowse = isCapable('dashboard');
/** Whether the service runs in this process. */
export const canLookInside = canBrowse && target.dashboardUrl === undefined;
export const screenshots = join('build', 'screenshots');

interface Dashboard {
  readonly service: Pick<Service, 'context' | 'url'> & { readonly payments: Pick<Service['payments'], 'url'> };
  /** Unless it is deployed. */
  readonly own?: Service;
  readonly browser: Browser;
  readonly accountId: string;
  readonly token: string;
}

let started: Dashboard | undefined;

/** What the service has logged, at every level. */
export const logLines: string[] = [];

export function dashboard(): Dashboard {
  if (!started) throw new Error('The dashboard has not been started.');
  return started;
}

/** The service in this process. */
export function ownService(): Service {
  const { own } = dashboard();
  if (!own) throw new Error('The service runs elsewhere.');
  return own;
}

async function startOwn(dataDir: string): Promise<Service> {
  await buildDashboard();
  const service = await startService({
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
  const logger = new (class extends Logger {
    protected override printLog(...[, line]: Parameters<Logger['printLog']>) {
      logLines.push(JSON.stringify(line));
    }
  })({ logLevel: 'DEBUG' });
  service.bind({ ...service.context, logger });
  return service;
}

/** The dashboard of the suite's target. */
async function deployed(url: string): Promise<Dashboard['service']> {
  const { admin, pixSandbox = '' } = target;
  Object.assign(process.env, admin.environment);
  return { context: await connect(admin.args[1]), url, payments: { url: pixSandbox } };
}

async function start(dataDir: string): Promise<Dashboard> {
  const own = target.dashboardUrl === undefined ? await startOwn(dataDir) : undefined;
  const service = own ?? (await deployed(target.dashboardUrl ?? ''));
  mkdirSync(screenshots, { recursive: true });
  const { accountId } = await createAccount(service.context, { email: 'ana@example.com', name: 'Ana', credits: 1000 });
  const token = await newToken(service, accountId, 'Shop');
  return { service, ...(own && { own }), accountId, token, browser: await startBrowser() };
}

/** Registers what surrounds the tests of a file. */
export function useDashboard(): void {
  const dataDir = mkdtempSync(join(tmpdir(), 'dashboard-e2e-'));
  beforeAll(async () => {
    if (canBrowse) started = await start(dataDir);
  });
  afterAll(async () => {
    await started?.browser.close();
    await started?.own?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
}

async function newToken({ context }: Dashboard['service'], accountId: string, name: string): Promise<string> {
  const webhookSecrets = webhookSecretsOf(context);
  return (await createToken({ ...context, webhookSecrets }, { accountId, name, scopes })).token;
}

/** A token of the owner's, made without the dashboard. */
export const givenToken = (name: string): Promise<string> => newToken(dashboard().service, dashboard().accountId, name);

export interface Visit {
  readonly screen?: Screen;
  readonly colorScheme?: 'light' | 'dark';
  readonly locale?: 'en-US' | 'pt-BR';
}

/** A browser of somebody who is not logged in. */
export const openBrowser = ({
  screen = 'desktop',
  colorScheme = 'light',
  locale = 'en-US',
}: Visit = {}): Promise<BrowserContext> =>
  dashboard().browser.newContext({ viewport: screens[screen], colorScheme, locale });

interface Owner {
  readonly accountId?: string;
  /** What differs from a session that has just begun with a password. */
  readonly session?: Parameters<typeof giveSession>[2];
}

/** A browser of an account's owner, by default of the shared one; sessions have their own rate limits. */
export async function ownersBrowser(
  visit: Visit = {},
  { accountId = dashboard().accountId, session = {} }: Owner = {},
): Promise<BrowserContext> {
  const { service } = dashboard();
  const { cookie } = await giveSession(service.context, accountId, session);
  const [name = '', value = ''] = cookie.split('=');
  const opened = await openBrowser(visit);
  // Providers return to the address of the dashboard, which is another one than the API's.
  const urls = [service.url, service.context.settings.dashboardUrl];
  await opened.addCookies(urls.map((url) => ({ name, value, url })));
  return opened;
}

/** An account of its own, for what would change what other tests see. */
export async function newAccount(name: string, credits = 0): Promise<string> {
  const { context } = dashboard().service;
  return (await createAccount(context, { email: `${name.toLowerCase()}@example.com`, name, credits })).accountId;
}

/** What the browser complains about: errors in the console, such as violations of the content security policy. */
export async function newPage(opened: BrowserContext): Promise<{ page: Page; complaints: string[] }> {
  const page = await opened.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
}

export async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${dashboard().service.url}/account/${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** The address of a page on another site than the identity provider's, as on AWS. */
export const siteUrl = (path: string): string => `${dashboard().service.context.settings.dashboardUrl}/account/${path}`;

/** Creates speech as the account's back end does, and returns the task's id. */
export async function speak(text: string, callbackUrl?: string): Promise<string> {
  const { service, token } = dashboard();
  const response = await fetch(`${service.url}/api/v1/generate/voice`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text, voice: 'sarah', callbackUrl }),
  });
  return ((await response.json()) as { data: { taskId: string } }).data.taskId;
}

/** The status of the profile for a token: whether it works. */
export const profileStatus = async (token: string): Promise<number> =>
  (await fetch(`${dashboard().service.url}/api/v1/profile`, { headers: { authorization: `Bearer ${token}` } })).status;

/** Somebody with a password at the identity provider, who logs in on its page. */
export function somebody(name: string) {
  const email = `${name.toLowerCase()}@example.com`;
  const password = 'a long password';
  const user = ownService().identity?.users.addWithPassword({ email, name }, password);
  if (!user) throw new Error('There is no identity provider.');
  const logIn = async (page: Page): Promise<void> => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
  };
  return { user, password, logIn };
}

export const signUpPassword = 'a long password';

/** Signs up with a password at the identity provider's page. */
export async function signUp(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign up with a password' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('E-mail').fill(`${name.toLowerCase()}-${Date.now()}@example.com`);
  await page.getByLabel('Password').fill(signUpPassword);
  await page.getByRole('button', { name: 'Sign up' }).click();
}

/** Logs in at the stand-in for Google. */
export async function logInWithGoogle(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResult>('axe.run()');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
