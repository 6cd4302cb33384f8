/** Shared by all tests of the dashboard: a service with an account, in this process or deployed, and one browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@aws-lambda-powertools/logger';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { logLinesWith } from '../../../infra/cli/log-lines.ts';
import { connect } from '../../../infra/cli/service.ts';
import { buildDashboard } from '../../../infra/local/dashboard/build-dashboard.ts';
import { type Service, startService } from '../../../infra/local/host.ts';
import { scopes } from '../../../shared/contracts/scopes.ts';
import { createAccount } from '../../../shared/domain/accounts/create-account.ts';
import { issueToken } from '../../../shared/domain/tokens/issue-token.ts';
import { webhookSecretsOf } from '../../../shared/platform/webhook-secrets.ts';
import { giveSession } from '../../support/given-session.ts';
import { accessibilityProblems, photographed, type Screen, screens, startBrowser } from '../browser.ts';
import { isCapable, target } from '../target.ts';

export const canBrowse = isCapable('dashboard');
/** Whether the service runs in this process. */
export const canLookInside = canBrowse && target.dashboardUrl === undefined;
/** Whether tests of pages alone run: the pages are the same on every host, so that one host is enough. */
export const canTestPages = isCapable('browser') && canLookInside;

interface Dashboard {
  readonly service: Pick<Service, 'context' | 'url'> & { readonly payments: Pick<Service['payments'], 'url'> };
  /** The base URL at which back ends call the API: on deployed stages it differs from the dashboard's host. */
  readonly apiUrl: string;
  readonly identityUrl: string;
  readonly socialUrl: string;
  readonly database: { readonly endpoint: string; readonly tableName: string };
  /** The service in this process; undefined if it is deployed. */
  readonly own?: Service;
  readonly browser: Browser;
  readonly accountId: string;
  readonly token: string;
}

let started: Dashboard | undefined;

/** The lines that the service in this process has logged, at every level. */
const logLines: string[] = [];

/** The logged lines that contain a text; for a deployed service, found with CloudWatch Logs. */
export async function loggedWith(text: string): Promise<readonly string[]> {
  if (canLookInside) return logLines.filter((line) => line.includes(text));
  const client = new CloudWatchLogsClient();
  try {
    const lines = await logLinesWith(client, { stage: target.admin.args[1] ?? '', text, from: 0 });
    return lines.map(({ message }) => message);
  } finally {
    client.destroy();
  }
}

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

/** A service in this process, with the pages. */
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

type Host = Omit<Dashboard, 'browser' | 'accountId' | 'token'>;

/** The dashboard of the suite's target. */
async function deployed(url: string): Promise<Host> {
  const { admin, identityUrl = '', pixSandbox = '', socialSandbox = '' } = target;
  Object.assign(process.env, admin.environment);
  const context = await connect(admin.args[1]);
  // Tests write rows as the service does, as if within an act that never ends.
  void context.acting(() => new Promise<never>(() => undefined));
  const service = { context, url, payments: { url: pixSandbox } };
  const database = { endpoint: admin.environment.AWS_ENDPOINT_URL ?? '', tableName: context.settings.tableName };
  return { service, apiUrl: target.url, identityUrl, socialUrl: socialSandbox, database };
}

async function local(dataDir: string): Promise<Host> {
  const own = await startOwn(dataDir);
  const { tableName } = own.context.settings;
  const database = { endpoint: own.environment.AWS_ENDPOINT_URL_DYNAMODB ?? '', tableName };
  return {
    service: own,
    own,
    apiUrl: own.url,
    identityUrl: own.identity?.url ?? '',
    socialUrl: own.social.url,
    database,
  };
}

/** Too long for a line of a phone, and without a place to break it. */
export const ownerEmail = 'ana_maria_de_albuquerque_cavalcanti@example.com';

async function start(dataDir: string): Promise<Dashboard> {
  const host = await (target.dashboardUrl === undefined ? local(dataDir) : deployed(target.dashboardUrl));
  const { context } = host.service;
  const { accountId } = await createAccount(context, { email: ownerEmail, name: 'Ana', credits: 1000 });
  const token = await newToken(host.service, accountId, 'Shop');
  return { ...host, accountId, token, browser: await startBrowser() };
}

/** Registers the hooks that start and stop everything around the tests of a file. */
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

/** Creates a token of an account without the dashboard, and returns its text. */
export async function newToken({ context }: Dashboard['service'], accountId: string, name: string): Promise<string> {
  const webhookSecrets = webhookSecretsOf(context);
  return (await issueToken({ ...context, webhookSecrets }, { accountId, name, scopes })).token;
}

/** Creates a token of the owner without the dashboard. */
export const givenToken = (name: string): Promise<string> => newToken(dashboard().service, dashboard().accountId, name);

export interface Visit {
  readonly screen?: Screen;
  readonly locale?: 'en-US' | 'pt-BR';
}

const allVisits = [
  { screen: 'phone', locale: 'pt-BR' },
  { screen: 'desktop', locale: 'en-US' },
] as const satisfies readonly Visit[];

/**
 * Each screen size and each language once. Portuguese texts are longer, so the smaller screen shows them. A deployed
 * dashboard has the same pages, so one of the two is enough there.
 */
export const visits = canTestPages ? allVisits : allVisits.slice(-1);

/** A time limit that suffices even on a busy machine. */
const patienceMs = 90_000;

/** A browser without a session. */
export async function openBrowser({ screen = 'desktop', locale = 'en-US' }: Visit = {}): Promise<BrowserContext> {
  const opened = await dashboard().browser.newContext({ viewport: screens[screen], locale });
  opened.setDefaultTimeout(patienceMs);
  return opened;
}

interface Owner {
  readonly accountId?: string;
  /** The differences from a session that has just begun with a password. */
  readonly session?: Parameters<typeof giveSession>[2];
}

/** A browser of an account's owner, by default of the shared account; each session has its own rate limit. */
export async function ownersBrowser(
  visit: Visit = {},
  { accountId = dashboard().accountId, session = {} }: Owner = {},
): Promise<BrowserContext> {
  const { service } = dashboard();
  const { cookie } = await giveSession(service.context, accountId, session);
  const [name = '', value = ''] = cookie.split('=');
  const opened = await openBrowser(visit);
  // Identity and payment providers redirect to the URL of the dashboard, which differs from the API's.
  const urls = [service.url, service.context.settings.dashboardUrl];
  await opened.addCookies(urls.map((url) => ({ name, value, url })));
  return opened;
}

/** A separate account for tests whose changes other tests would notice. */
export async function newAccount(name: string, credits = 0): Promise<string> {
  const { context } = dashboard().service;
  return (await createAccount(context, { email: `${name.toLowerCase()}@example.com`, name, credits })).accountId;
}

/** The errors in the browser's console, such as violations of the content security policy. */
export async function newPage(opened: BrowserContext): Promise<{ page: Page; complaints: string[] }> {
  const page = await opened.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
}

export async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${dashboard().service.url}/account/${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** The URL of a page on a different site than the identity provider, as on AWS. */
export const siteUrl = (path: string): string => `${dashboard().service.context.settings.dashboardUrl}/account/${path}`;

/** Creates speech as the account's back end does, and returns the task's id. */
export async function speak(text: string, callbackUrl?: string): Promise<string> {
  const { apiUrl, token } = dashboard();
  const response = await fetch(`${apiUrl}/api/v1/generate/voice`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text, voice: 'sarah', callbackUrl }),
  });
  return ((await response.json()) as { data: { taskId: string } }).data.taskId;
}

/** The status of the response to a token's request for its profile, which tells whether the token is valid. */
export const profileStatus = async (token: string): Promise<number> =>
  (await fetch(`${dashboard().apiUrl}/api/v1/profile`, { headers: { authorization: `Bearer ${token}` } })).status;

/** Fails unless the page fits the screen and is accessible. */
export const expectReadable = (page: Page, { screen, locale }: Required<Visit>, name: string): Promise<void> =>
  photographed(page, `dashboard-${name}-${screen}-${locale}`, async () => {
    expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(screens[screen].width);
    expect(await accessibilityProblems(page), name).toEqual([]);
  });
