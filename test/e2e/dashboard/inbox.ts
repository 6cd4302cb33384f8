/** How owners read and answer the messages and comments on their pages. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Channel } from '../../../shared/contracts/channels.ts';
import { createAccount } from '../../../shared/domain/accounts/create-account.ts';
import { fetchNewestProfiles } from '../../../shared/domain/piloto/conversations/participant-profile.ts';
import { connectAndCopy } from '../../support/connected-pages.ts';
import { type SocialPage, socialPage } from '../social-chat.ts';
import {
  canBrowse,
  canTestPages,
  dashboard,
  expectReadable,
  newPage,
  open,
  ownersBrowser,
  ownService,
  visits,
} from './dashboard-harness.ts';

async function accountWithInbox(name: string): Promise<string> {
  const given = { email: `${name.toLowerCase()}@example.com`, name, credits: 0, planId: 'business' };
  return (await createAccount(dashboard().service.context, given)).accountId;
}

describe.runIf(canBrowse)('on the inbox page, an owner', () => {
  let accountId: string;
  let pages: Readonly<Record<Channel, SocialPage>>;

  beforeAll(async () => {
    const { service, socialUrl } = dashboard();
    accountId = await accountWithInbox('Bia');
    const { connections, needs } = await connectAndCopy(service.context, accountId);
    // Names on Instagram are fetched after a synchronization, and if that fails, by the next one.
    for (const one of connections) await fetchNewestProfiles(needs, one, Number.POSITIVE_INFINITY);
    const on = (channel: Channel) =>
      socialPage(socialUrl, connections.find((one) => one.channel === channel)?.pageId ?? '');
    pages = { instagram: on('instagram'), facebook: on('facebook') };
  });

  test('sees a customer’s message as it arrives, as plain text, and answers', async () => {
    const customer = await pages.instagram.conversation('Rafael Nunes');
    const opened = await ownersBrowser({}, { accountId });
    const { page, complaints } = await newPage(opened);
    await open(page, '');
    await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Inbox' }).click();
    const list = page.getByRole('region', { name: 'Conversations' });
    await list.getByRole('link').filter({ hasText: 'Marina Lopes' }).waitFor();
    const row = list.getByRole('link').filter({ hasText: 'Rafael Nunes' });
    await row.waitFor();
    await customer.press('write', { text: '<img src=x onerror=alert(1)> Vocês abrem hoje?' });
    await row.getByLabel('2 unread messages').waitFor();
    await row.click();
    const messages = page.getByRole('list', { name: 'Messages' });
    await messages.getByText('<img src=x onerror=alert(1)> Vocês abrem hoje?').waitFor();
    await row.getByLabel('2 unread messages').waitFor({ state: 'detached' });
    const answer = page.getByRole('textbox', { name: 'Reply' });
    await answer.fill('é'.repeat(501));
    await page.getByText('1,002 of 1,000').waitFor();
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await answer.fill('Abrimos, até as 18h.');
    await page.getByRole('button', { name: 'Send' }).click();
    await messages.getByText('Abrimos, até as 18h.').waitFor();
    expect(await answer.inputValue()).toBe('');
    expect((await customer.html()).split('Abrimos, até as 18h.')).toHaveLength(2);
    expect(complaints).toEqual([]);
    await opened.close();
  });

  test.runIf(canTestPages)('is told that it is too late to reply', async () => {
    const opened = await ownersBrowser({}, { accountId });
    const { page } = await newPage(opened);
    await open(page, 'inbox');
    await page.getByRole('link').filter({ hasText: 'Thiago Prado' }).click();
    await page.getByText('The 24 hours in which the network lets you reply are over.').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await opened.close();
  });

  test.runIf(canTestPages)('opens a conversation by its URL even if the list does not show it', async () => {
    const opened = await ownersBrowser({}, { accountId });
    const { page } = await newPage(opened);
    await open(page, 'inbox');
    await page.getByRole('link').filter({ hasText: 'Bia Carvalho' }).click();
    const heading = page.getByRole('heading', { level: 2, name: 'Bia Carvalho' });
    await heading.waitFor();
    await open(page, `inbox?unread=true&open=${new URL(page.url()).searchParams.get('open')}`);
    await heading.waitFor();
    await page.getByRole('textbox', { name: 'Reply' }).waitFor();
    const list = page.getByRole('region', { name: 'Conversations' });
    expect(await list.getByRole('link').filter({ hasText: 'Bia Carvalho' }).count()).toBe(0);
    await opened.close();
  });

  test.runIf(canTestPages)('hides, likes and answers a comment', async () => {
    const thread = await pages.facebook.firstPost();
    const [, personId = ''] = /<select name="personId"><option value="(\w+)"/.exec(await thread.html()) ?? [];
    await thread.press('comment', { personId, text: 'Tem em amarelo?' });
    const opened = await ownersBrowser({}, { accountId });
    const { page, complaints } = await newPage(opened);
    await open(page, 'inbox?view=comments');
    await page.getByRole('link').filter({ hasText: 'Fornada nova' }).filter({ hasText: 'Facebook' }).click();
    const comment = page.getByRole('listitem').filter({ hasText: 'Tem em amarelo?' });
    await comment.getByRole('button', { name: /^Hide: / }).click();
    await comment.getByRole('button', { name: /^Show again: / }).waitFor();
    expect(await thread.html()).toContain('hidden by the shop');
    expect(await comment.getByRole('button', { name: /^Reply to / }).count()).toBe(0);
    await comment.getByRole('button', { name: /^Show again: / }).click();
    await comment.getByRole('button', { name: /^Hide: / }).waitFor();
    await comment.getByRole('button', { name: /^Like: / }).click();
    await comment.getByRole('button', { name: /^Unlike: / }).waitFor();
    await comment.getByRole('button', { name: /^Reply to / }).click();
    await comment.getByRole('textbox').fill('Tem sim!');
    await comment.getByRole('button', { name: 'Send' }).click();
    await comment.getByRole('listitem').filter({ hasText: 'Tem sim!' }).waitFor();
    const html = await thread.html();
    expect(html.match(/>Tem sim!</g)).toHaveLength(1);
    expect(html).toContain('liked by the shop');
    expect(html).not.toContain('hidden by the shop');
    expect(complaints).toEqual([]);
    await opened.close();
  });

  // The sandbox loses the responses to all accounts, not only to this one.
  test.runIf(canTestPages)(
    'is told when it is unknown whether a reply has arrived, and does not send it twice',
    async () => {
      const { social } = ownService();
      const customer = await pages.facebook.conversation('Dona Célia Ramos');
      const opened = await ownersBrowser({}, { accountId });
      const { page } = await newPage(opened);
      await open(page, 'inbox');
      await page.getByRole('link').filter({ hasText: 'Dona Célia Ramos' }).click();
      const answer = page.getByRole('textbox', { name: 'Reply' });
      await answer.fill('Temos, sim.');
      social.mood = 'loses responses';
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('alert').filter({ hasText: 'It is not known whether this arrived.' }).waitFor();
      social.mood = 'works';
      expect(await answer.inputValue()).toBe('Temos, sim.');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('list', { name: 'Messages' }).getByText('Temos, sim.').waitFor();
      await page.getByRole('alert').waitFor({ state: 'detached' });
      expect((await customer.html()).split('Temos, sim.')).toHaveLength(2);
      await opened.close();
    },
  );

  test.runIf(canTestPages).for(visits)('can read the page on a $screen in $locale', async (visit) => {
    const words = visit.locale === 'pt-BR' ? ['Nenhuma página', 'Mensagens'] : ['No page', 'Messages'];
    const unconnected = await ownersBrowser(visit, {
      accountId: await accountWithInbox(`Caio-${visit.screen}-${visit.locale}`),
    });
    const empty = await newPage(unconnected);
    await open(empty.page, 'inbox');
    await empty.page.getByText(words[0] ?? '').waitFor();
    await expectReadable(empty.page, visit, 'inbox-empty');
    await unconnected.close();
    const opened = await ownersBrowser(visit, { accountId });
    const { page, complaints } = await newPage(opened);
    await open(page, 'inbox');
    const row = page.getByRole('link').filter({ hasText: 'Marina Lopes' });
    await row.waitFor();
    await expectReadable(page, visit, 'inbox-conversations');
    await row.click();
    await page.getByRole('list', { name: words[1] ?? '' }).waitFor();
    await expectReadable(page, visit, 'inbox-thread');
    await open(page, 'inbox?view=comments');
    await page.getByRole('link').filter({ hasText: 'Fornada nova' }).first().click();
    await page.getByText('Vai ao micro-ondas?').waitFor();
    await expectReadable(page, visit, 'inbox-comments');
    expect(complaints).toEqual([]);
    await opened.close();
  });
});
