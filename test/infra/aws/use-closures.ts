/** Closes an account that has something of everything, and erases it, so that every permission for this is used. */
import { expect } from 'vitest';
import { longestPauseMs } from '../../../shared/domain/generation/circuit.ts';
import { consentKey } from '../../../shared/domain/inbox-keys.ts';
import { activeTokensKey, influencerKey } from '../../../shared/domain/keys.ts';
import { closeAccount, endWeek, reopenAccount } from '../../../shared/domain/privacy/closing.ts';
import { exportsFolder } from '../../../shared/domain/privacy/exports-folder.ts';
import { secretDigest } from '../../../shared/domain/secret-digest.ts';
import { tokenStore } from '../../../shared/domain/tokens/token-store.ts';
import { inputsBucket, resultsBucket } from '../../../shared/platform/bucket.ts';
import { subscriptionScene } from '../../functions/subscription-scene.ts';
import { eventually } from '../../support/eventually.ts';
import { giveFullAccount } from '../../support/given-full-account.ts';
import { callAsPage, giveSession } from '../../support/given-session.ts';
import type { TestService } from '../../support/test-service.ts';
import { claimRefund } from './claim-refund.ts';
import { openCircuits } from './open-circuits.ts';

type Full = Awaited<ReturnType<typeof giveFullAccount>>;

/** A token that was being issued while the account was closed, which has no row of active tokens. */
async function issueLate({ service: { context } }: TestService, accountId: string): Promise<void> {
  const token = {
    accountId,
    tokenId: context.ids.next(),
    name: 'late',
    scopes: ['read:tasks'] as const,
    mode: 'live',
  } as const;
  await tokenStore(context.table).insert('late', token);
  await context.table.transact([{ Delete: { Key: activeTokensKey(accountId) } }]);
}

/** The files of an account as they are stored, whose rows it has. */
async function storeFiles({ service: { context } }: TestService, { accountId, fileId, keptKey }: Full): Promise<void> {
  const image = { body: [Buffer.from('image')], contentType: 'image/png' };
  await resultsBucket(context).write(keptKey, image);
  await inputsBucket(context).write(`uploads/${fileId}`, image);
  await inputsBucket(context).write(`${exportsFolder(accountId)}archive.zip`, image);
}

/** Orders and subscriptions in every state that has to be settled; the gateway reports nothing. */
async function orderEverything(host: TestService, { accountId, session }: Full): Promise<void> {
  const { invoke, subscriptions: gateway } = host.service;
  gateway.events = 'lost';
  const { change, find, pay, subscribe } = subscriptionScene(host, { accountId });
  const order = async (operationId: 'createCreditOrder' | 'createSubscription', body: object) => {
    const response = await callAsPage(host.url, operationId, { cookie: session.cookie, body });
    expect(response.status, JSON.stringify(response.body)).toBe(201);
  };
  await order('createCreditOrder', { packId: 'pack-500' });
  await order('createSubscription', { planId: 'pro', billingCycle: 'annual', couponCode: 'ONCE' });
  const [active, paid] = [await subscribe(), await subscribe()];
  await pay(active);
  // Learned by an event, because a reconciliation would end the other checkouts, too.
  const event = { gateway: 'stripe', eventId: 'evt_closing', subject: (await find(active)).checkoutId };
  await invoke('processPaymentEvent', { Records: [{ messageId: 'closing', body: JSON.stringify(event) }] });
  await change(active, 'refund');
  await pay(paid);
}

/** An owner closes their account and opens it again, and finds it open after an operator has opened it. */
async function useTheClosingPage(host: TestService): Promise<void> {
  const { context, identity } = host.service;
  const { accountId } = await host.account();
  const user = identity?.users.addWithPassword({ email: `${accountId}@example.com`, name: 'Ana' }, 'right horse');
  if (!user) throw new Error('the service has no identity provider');
  const by = { subject: user.subject, username: user.username };
  const { cookie } = await giveSession(context, accountId, by);
  const page = (operationId: 'closeAccount' | 'getSession' | 'reopenAccount', body = {}) =>
    callAsPage(host.url, operationId, { cookie, body });
  const close = async () => expect((await page('closeAccount', { password: 'right horse' })).status).toBe(200);
  await close();
  for (let times = 0; times < 2; times += 1) expect((await page('reopenAccount')).status).toBe(200);
  await context.table.transact([{ Delete: { Key: activeTokensKey(accountId) } }]);
  await host.token(accountId);
  await context.table.transact([{ Delete: { Key: activeTokensKey(accountId) } }]);
  await close();
  await reopenAccount(context, accountId);
  expect((await page('getSession')).body.data).toMatchObject({ closure: null });
  const { cookie: social } = await giveSession(context, accountId, { ...by, kind: 'social', provider: 'Google' });
  expect((await callAsPage(host.url, 'closeAccount', { cookie: social, body: {} })).status).toBe(200);
}

export async function useClosures(host: TestService): Promise<void> {
  const { context, invoke } = host.service;
  const full = await giveFullAccount(host, 'closed');
  const { accountId, session, token } = full;
  await context.table.put({ Item: { ...influencerKey(accountId, 'one') } });
  await context.table.put({ Item: { ...consentKey(secretDigest(session.cookie.split('=')[1] ?? ''), 'instagram') } });
  await storeFiles(host, full);
  await tokenStore(context.table).setCap(accountId, full.tokenId, 1000);
  await orderEverything(host, full);
  const sentence = { text: 'Uma frase curta.', voice: 'sarah', callbackUrl: host.receiver.url };
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  await host.ended(token, await host.speak(token, sentence));
  host.engine.play({});
  await openCircuits(context, accountId, 'voice');
  host.clock.advance(longestPauseMs);
  await claimRefund(host, accountId, await host.speak(token, sentence));
  await useTheClosingPage(host);
  await closeAccount(context, accountId);
  await issueLate(host, accountId);
  await invoke('eraseClosedAccounts', {});
  await endWeek(context, accountId);
  await eventually('the erasure', async () => {
    host.clock.advance(16 * 60_000);
    await invoke('scheduleInboxSyncs', {});
    await invoke('eraseClosedAccounts', {});
    return (await context.accounts.find(accountId))?.erasedAt;
  });
}
