/** How owners connect their pages on social networks, and disconnect them. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { sandboxTokens } from '../../../infra/cli/sandbox-pages.ts';
import type { Channel } from '../../../shared/contracts/channels.ts';
import { createAccount } from '../../../shared/domain/accounts/create-account.ts';
import type { Connection } from '../../../shared/domain/piloto/pages/connection.ts';
import { connectionStore } from '../../../shared/domain/piloto/pages/connection-store.ts';
import type { PageIdentity } from '../../../shared/gateways/social-network.ts';
import { socialNetwork } from '../../../shared/gateways/social-networks.ts';
import { eventually } from '../../support/eventually.ts';
import {
  canBrowse,
  canTestPages,
  dashboard,
  expectReadable,
  newPage,
  ownersBrowser,
  siteUrl,
  type Visit,
  visits,
} from './dashboard-harness.ts';

const yearMs = 365 * 24 * 3_600_000;

let accounts = 0;

/** The account page of an owner whose plan includes the inbox, and who has connected nothing. */
async function arrive(visit: Visit = {}) {
  accounts += 1;
  const name = `Connecting${accounts}`;
  const given = { email: `${name}@example.com`, name, credits: 0, planId: 'business' };
  const { accountId } = await createAccount(dashboard().service.context, given);
  const opened = await ownersBrowser(visit, { accountId });
  const { page, complaints } = await newPage(opened);
  await page.goto(siteUrl('account'));
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { accountId, opened, page, complaints };
}

const row = (page: Page, network: string) => page.getByRole('listitem', { name: network });

/** A page of a shop in the sandbox, which opens the shop if there is none. */
async function shopPage(owner: string, channel: Channel): Promise<PageIdentity> {
  const { context } = dashboard().service;
  const grant = (await sandboxTokens(context, owner)).find((one) => one.channel === channel);
  if (!grant) throw new Error(`The shop has no page on ${channel}.`);
  return socialNetwork(context).page({ ...grant, network: 'sandbox' });
}

/** Opens the consent dialog of a social network, and makes a choice there. */
async function consent(page: Page, network: string, values: readonly string[]) {
  await page.getByRole('link', { name: `Connect: ${network}` }).click();
  const choices = page.locator('input[name=pageId]');
  for (const choice of await choices.all()) {
    const isChosen = values.includes((await choice.getAttribute('value')) ?? '');
    if (isChosen || network === 'Facebook') await choice.setChecked(isChosen);
  }
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
}

async function changed(accountId: string, channel: Channel, change: Partial<Connection>): Promise<void> {
  const connections = connectionStore(dashboard().service.context.table);
  await eventually('the changed connection', async () => {
    const found = await connections.find({ accountId, channel });
    return found && connections.save({ ...found, ...change });
  });
}

describe.runIf(canBrowse)('on the connections page, an owner', () => {
  test('connects a page of each social network, sees it in the inbox, and disconnects it', async () => {
    const { accountId, opened, page, complaints } = await arrive();
    for (const [network, channel] of [
      ['Instagram', 'instagram'],
      ['Facebook', 'facebook'],
    ] as const) {
      const { pageId, name } = await shopPage(accountId, channel);
      await consent(page, network, [pageId]);
      await page
        .getByRole('status')
        .filter({ hasText: `${network}: The page is connected.` })
        .waitFor();
      await row(page, network).getByText(name).waitFor();
      await row(page, network).getByText('Updated').waitFor();
      expect(page.url()).toBe(siteUrl(`account?channel=${channel}&outcome=connected#connections`));
    }
    await page.getByRole('link', { name: 'Inbox' }).first().click();
    const conversations = page.getByRole('region', { name: 'Conversations' }).getByRole('link');
    for (const network of ['Instagram', 'Facebook']) await conversations.filter({ hasText: network }).first().waitFor();
    await page.goBack();
    for (const network of ['Instagram', 'Facebook']) {
      await row(page, network)
        .getByRole('button', { name: /^Disconnect: / })
        .click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('heading', { name: `(${network})?` }).waitFor();
      await dialog.getByText('erases its copy of all conversations').waitFor();
      await dialog.getByRole('button', { name: 'Disconnect' }).click();
      await row(page, network).getByText('Disconnected', { exact: true }).waitFor();
    }
    expect(await page.getByText('The page is connected.').count()).toBe(0);
    expect(complaints).toEqual([]);
    // The browser's console reports the 403 as an error.
    await page.goto(siteUrl('inbox'));
    await page.getByText('A page can be connected again in about three minutes.').waitFor();
    expect(await page.getByRole('link', { name: 'Connect a page' }).count()).toBe(0);
    await opened.close();
  });

  test.runIf(canTestPages)('chooses one of several granted pages', async () => {
    const { accountId, opened, page, complaints } = await arrive();
    const first = await shopPage(accountId, 'facebook');
    const second = await shopPage(`${accountId}, second`, 'facebook');
    const ids = [first.pageId, second.pageId];
    await consent(page, 'Facebook', ids);
    const choice = page.getByRole('group', { name: 'Which page do you want to connect?' });
    await choice.getByRole('button').first().waitFor();
    expect(await choice.getByRole('button').count()).toBe(2);
    const other = await newPage(opened);
    await other.page.goto(siteUrl('account?channel=facebook&outcome=choose'));
    const sameChoice = other.page.getByRole('group', { name: 'Which page do you want to connect?' });
    await sameChoice.getByRole('button').first().waitFor();
    await choice
      .getByRole('button', { name: `Connect: ${second.name}` })
      .last()
      .click();
    await row(page, 'Facebook').getByText('Connected', { exact: true }).waitFor();
    expect(await choice.count()).toBe(0);
    await sameChoice.getByRole('button').first().click();
    await row(other.page, 'Facebook').getByText('Connected', { exact: true }).waitFor();
    expect([await sameChoice.count(), await other.page.getByRole('alert').count()]).toEqual([0, 0]);
    const connections = connectionStore(dashboard().service.context.table);
    expect(ids).toContain((await connections.find({ accountId, channel: 'facebook' }))?.pageId);
    expect(complaints).toEqual([]);
    await opened.close();
  });

  test.runIf(canTestPages)('leaves no log-in code and no repeatable request in the browser’s history', async () => {
    const { accountId, opened, page } = await arrive();
    const callbacks: string[] = [];
    page.on('request', (request) => request.url().includes('/callback?') && callbacks.push(request.url()));
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(frame.url()));
    await consent(page, 'Instagram', [(await shopPage(accountId, 'instagram')).pageId]);
    await row(page, 'Instagram').getByText('Updated').waitFor();
    const [callback = ''] = callbacks;
    const code = new URL(callback).searchParams.get('code') ?? '';
    expect(code.length).toBeGreaterThan(8);
    expect(visited.filter((url) => url.includes(code))).toEqual([]);
    expect(await page.content()).not.toContain(code);
    await page.goto(callback);
    await row(page, 'Instagram').getByText('Connected', { exact: true }).waitFor();
    expect(page.url()).toContain('outcome=expired');
    expect(await page.getByRole('alert').count()).toBe(0);
    // A page of the other social network is not connected.
    await page.goto(siteUrl('account?channel=facebook&outcome=expired'));
    await page.getByRole('alert').filter({ hasText: 'Facebook: This took too long' }).waitFor();
    await opened.close();
  });

  test.runIf(canTestPages).for(visits)('sees the state of pages on a $screen in $locale', async (visit) => {
    const { accountId, opened, page, complaints } = await arrive(visit);
    const look = async (name: string) => {
      await page.reload();
      await page.getByRole('listitem', { name: 'Facebook' }).waitFor();
      await expectReadable(page, visit, `connections-${name}`);
    };
    const { pageId: instagram } = await shopPage(accountId, 'instagram');
    const facebook = [
      (await shopPage(accountId, 'facebook')).pageId,
      (await shopPage(`${accountId}, a second one`, 'facebook')).pageId,
    ];
    await look('none');
    await page.getByRole('link', { name: /: Instagram$/ }).click();
    await page.locator(`input[value="${instagram}"]`).check();
    await page.locator('button[value=allow]').click();
    await page.waitForURL(/outcome=connected/);
    const far = dashboard().service.context.clock.now() + yearMs;
    const run = {
      mode: 'full',
      startedAt: 0,
      phase: 'conversations',
      listed: [],
      found: 1240,
      synchronized: 318,
    } as const;
    const held = { dueAt: far, leasedUntil: far };
    await changed(accountId, 'instagram', { ...held, syncedAt: undefined, run });
    await page.getByRole('link', { name: /: Facebook$/ }).click();
    for (const box of await page.locator('input[name=pageId]').all())
      await box.setChecked(facebook.includes((await box.getAttribute('value')) ?? ''));
    await page.locator('button[value=allow]').click();
    await page.waitForURL(/outcome=choose/);
    await look('copying-and-choosing');
    await page.getByRole('group').getByRole('button').first().click();
    await page.waitForURL(/outcome=connected/);
    await changed(accountId, 'facebook', { ...held, run: undefined, state: 'revoked', fault: 'revoked' });
    await changed(accountId, 'instagram', { syncedAt: far - yearMs - 240_000, run: undefined, fault: 'unavailable' });
    await page.goto(siteUrl('account?channel=facebook&outcome=other-account'));
    await look('revoked-and-refused');
    const [disconnect] = await page.getByRole('button', { name: /^Desconectar: |^Disconnect: / }).all();
    await disconnect?.click();
    await page.getByRole('dialog').waitFor();
    // The dialog fades in.
    await eventually('the whole dialog', async () => {
      const opacity = await page.evaluate('getComputedStyle(document.querySelector("[role=dialog]")).opacity');
      return opacity === '1' ? true : undefined;
    });
    await expectReadable(page, visit, 'connections-disconnect');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Desconectar$|^Disconnect$/ })
      .click();
    await page.getByText(/^Disconnected$|^Desconectada$/).waitFor();
    await look('erasing');
    expect(complaints).toEqual([]);
    await opened.close();
  });
});
