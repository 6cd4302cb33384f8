/** Connects pages to a test service as their owner does: in a browser, through the dialogs of the sandbox. */

import type { Channel } from '../../shared/contracts/channels.ts';
import { connectionsPage } from '../../shared/contracts/connecting.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { callAsPage, type GivenSession, giveSession, type PageCall } from './given-session.ts';
import { type TestBrowser, testBrowser } from './test-browser.ts';
import type { TestService } from './test-service.ts';

const fromPage = { headers: { 'sec-fetch-site': 'same-origin' } };

export interface OwnersBrowser {
  readonly accountId: string;
  readonly browser: TestBrowser;
  readonly given: GivenSession;
}

type Operation = 'listConnections' | 'chooseConnection' | 'removeConnection' | 'logOut';

export function connecting(host: TestService) {
  const { context, social } = host.service;
  const dashboard = context.settings.dashboardUrl;

  /** A browser in which the owner of an account is logged in. */
  async function ownersBrowser(account?: string): Promise<OwnersBrowser> {
    const accountId = account ?? (await host.account({ planId: 'business' })).accountId;
    const [browser, given] = [testBrowser(), await giveSession(context, accountId)];
    browser.setCookie(dashboard, 'session', given.cookie.slice('session='.length));
    return { accountId, browser, given };
  }

  const startUrl = (channel: string) => `${dashboard}/account/api/connections/${channel}/start`;

  /** The page of the sandbox's shop with the given name. */
  function shopPage(owner: string, channel: Channel) {
    const page = social.world.shopOf(owner).find((one) => one.channel === channel);
    if (!page) throw new Error(`the shop has no page on ${channel}`);
    return page;
  }

  const start = ({ browser }: Pick<OwnersBrowser, 'browser'>, channel: Channel, headers = fromPage.headers) =>
    browser.visit(startUrl(channel), { headers });

  /** The URL with which the social network redirects the browser back. */
  async function consent(dialog: string, pageIds: readonly string[], action = 'allow'): Promise<string> {
    const body = new URLSearchParams([['action', action], ...pageIds.map((id): [string, string] => ['pageId', id])]);
    const response = await fetch(dialog, { method: 'POST', body, redirect: 'manual' });
    return response.headers.get('location') ?? '';
  }

  /** The outcome, by the page where the browser arrives. */
  const outcomeAt = (url: string): string => {
    const { pathname, searchParams } = new URL(url);
    return pathname === connectionsPage
      ? (searchParams.get('outcome') ?? 'nothing')
      : `${pathname}?${searchParams.toString()}`;
  };

  const arrive = async ({ browser }: Pick<OwnersBrowser, 'browser'>, url: string) =>
    outcomeAt((await browser.visit(url)).url);

  /** Completes all steps of connecting a page. */
  async function connect(owner: OwnersBrowser, channel: Channel, pageIds: readonly string[]) {
    return arrive(owner, await consent((await start(owner, channel)).url, pageIds));
  }

  const call = ({ browser }: OwnersBrowser, operationId: Operation, request: PageCall = {}) =>
    callAsPage(host.url, operationId, { cookie: browser.header(dashboard), ...request });

  /** What the list of connections shows about a channel. */
  async function shown(owner: OwnersBrowser, channel: Channel) {
    const { body } = await call(owner, 'listConnections');
    const { channels } = body.data as {
      channels: { channel: Channel; isOffered: boolean; page: unknown; choice: unknown }[];
    };
    return channels.find((one) => one.channel === channel);
  }

  const withoutApps = {
    ...host.service.environment,
    [settingVariables.metaInstagramApp]: 'none',
    [settingVariables.metaFacebookApp]: 'none',
  };

  return {
    arrive,
    call,
    connect,
    consent,
    dashboard,
    ownersBrowser,
    shopPage,
    shown,
    start,
    startUrl,
    withoutApps,
  };
}
