/** How owners read and answer what people write to their pages. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectDemoPages } from '../../../infra/local/demo-pages.ts';
import type { Channel } from '../../../shared/contracts/channels.ts';
import { createAccount } from '../../../shared/domain/accounts/create-account.ts';
import { screens } from '../browser.ts';
import {
  accessibilityProblems,
  canLookInside,
  newPage,
  open,
  ownersBrowser,
  ownService,
  screenshots,
  type Visit,
} from './dashboard-harness.ts';

const visits = [
  { screen: 'phone', colorScheme: 'dark', locale: 'en-US' },
  { screen: 'desktop', colorScheme: 'light', locale: 'pt-BR' },
] as const satisfies readonly Visit[];

async function accountWithInbox(name: string): Promise<string> {
  const given = { email: `${name.toLowerCase()}@example.com`, name, credits: 0, planId: 'business' };
  return (await createAccount(ownService().context, given)).accountId;
}

/** What the sandbox holds about a page of the account. */
function sandboxPage(accountId: string, channel: Channel) {
  const { world } = ownService().social;
  const page = world.shopOf(accountId).find((one) => one.channel === channel);
  if (!page) throw new Error(`The account has no page on ${channel}.`);
  return { world, page };
}

function personIn(accountId: string, channel: Channel, name: string) {
  const { world, page } = sandboxPage(accountId, channel);
  const person = world.people(page).find((one) => one.name === name);
  if (!person) throw new Error(`Nobody is called ${name}.`);
  return person;
}

async function expectAccessible(
  page: Page,
  { screen, colorScheme }: Required<Pick<Visit, 'screen' | 'colorScheme'>>,
  name: string,
) {
  await page.screenshot({
    path: join(screenshots, `dashboard-inbox-${name}-${screen}-${colorScheme}.png`),
    fullPage: true,
  });
  expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(screens[screen].width);
  expect(await accessibilityProblems(page), name).toEqual([]);
}

describe.runIf(canLookInside)('an owner with an inbox', () => {
  let accountId: string;

  beforeAll(async () => {
    accountId = await accountWithInbox('Bia');
    await connectDemoPages(ownService(), accountId);
  });

  test('reads what a customer writes as it arrives, as text alone, and answers', async () => {
    const { world } = ownService().social;
    const customer = personIn(accountId, 'instagram', 'Rafael Nunes');
    const opened = await ownersBrowser({}, { accountId });
    const { page, complaints } = await newPage(opened);
    await open(page, '');
    await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Inbox' }).click();
    const list = page.getByRole('region', { name: 'Conversations' });
    const row = list.getByRole('link').filter({ hasText: 'rafa.nunes' });
    await row.waitFor();
    world.write(customer, '<img src=x onerror=alert(1)> Vocês abrem hoje?');
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
    expect(
      world
        .messagesWith(customer)
        .slice(0, 2)
        .map(({ text }) => text),
    ).toEqual(['Abrimos, até as 18h.', '<img src=x onerror=alert(1)> Vocês abrem hoje?']);
    expect(complaints).toEqual([]);
    await opened.close();
  });

  test('is told that it is too late to reply', async () => {
    const opened = await ownersBrowser({}, { accountId });
    const { page } = await newPage(opened);
    await open(page, 'inbox');
    await page.getByRole('link').filter({ hasText: 'thiagoprado' }).click();
    await page.getByText('The 24 hours in which the network lets you reply are over.').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await opened.close();
  });

  test('hides, likes and answers a comment', async () => {
    const { world, page: shop } = sandboxPage(accountId, 'facebook');
    const [post] = world.posts(shop);
    const [person] = world.people(shop);
    if (!post || !person) throw new Error('The sandbox has no post to comment on.');
    const written = world.addComment(post, person.id, 'Tem em amarelo?');
    const opened = await ownersBrowser({}, { accountId });
    const { page, complaints } = await newPage(opened);
    await open(page, 'inbox?view=comments');
    await page.getByRole('link').filter({ hasText: 'Fornada nova' }).filter({ hasText: 'Facebook' }).click();
    const comment = page.getByRole('listitem').filter({ hasText: 'Tem em amarelo?' });
    await comment.getByRole('button', { name: /^Hide: / }).click();
    await comment.getByRole('button', { name: /^Show again: / }).waitFor();
    expect(world.comment(written.id)?.isHidden).toBe(true);
    await comment.getByRole('button', { name: /^Show again: / }).click();
    await comment.getByRole('button', { name: /^Hide: / }).waitFor();
    await comment.getByRole('button', { name: /^Like: / }).click();
    await comment.getByRole('button', { name: /^Withdraw the like: / }).waitFor();
    await comment.getByRole('button', { name: /^Reply to / }).click();
    await comment.getByRole('textbox').fill('Tem sim!');
    await comment.getByRole('button', { name: 'Send' }).click();
    await comment.getByRole('listitem').filter({ hasText: 'Tem sim!' }).waitFor();
    const replies = world.comments(post.id).filter(({ parentId }) => parentId === written.id);
    expect(replies.map(({ text }) => text)).toEqual(['Tem sim!']);
    expect(world.comment(written.id)).toMatchObject({ isHidden: false, isLiked: true });
    expect(complaints).toEqual([]);
    await opened.close();
  });

  test('is told if it is not known whether a reply has arrived, and does not send it twice', async () => {
    const { social } = ownService();
    const customer = personIn(accountId, 'facebook', 'Dona Célia Ramos');
    const opened = await ownersBrowser({}, { accountId });
    const { page } = await newPage(opened);
    await open(page, 'inbox');
    await page.getByRole('link').filter({ hasText: customer.name }).click();
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
    const received = social.world.messagesWith(customer).filter(({ text }) => text === 'Temos, sim.');
    expect(received).toHaveLength(1);
    await opened.close();
  });

  test.for(visits)('can read it on the screen of a $screen, $colorScheme', async (visit) => {
    const words = visit.locale === 'pt-BR' ? ['Nenhuma página', 'Mensagens'] : ['No page', 'Messages'];
    const unconnected = await ownersBrowser(visit, { accountId: await accountWithInbox(`Caio-${visit.screen}`) });
    const empty = await newPage(unconnected);
    await open(empty.page, 'inbox');
    await empty.page.getByText(words[0] ?? '').waitFor();
    await expectAccessible(empty.page, visit, 'empty');
    await unconnected.close();
    const opened = await ownersBrowser(visit, { accountId });
    const { page, complaints } = await newPage(opened);
    await open(page, 'inbox');
    const row = page.getByRole('link').filter({ hasText: 'marinalopes' });
    await row.waitFor();
    await expectAccessible(page, visit, 'conversations');
    await row.click();
    await page.getByRole('list', { name: words[1] ?? '' }).waitFor();
    await expectAccessible(page, visit, 'thread');
    await open(page, 'inbox?view=comments');
    await page.getByRole('link').filter({ hasText: 'Fornada nova' }).first().click();
    await page.getByText('Vai ao micro-ondas?').waitFor();
    await expectAccessible(page, visit, 'comments');
    expect(complaints).toEqual([]);
    await opened.close();
  });
});
