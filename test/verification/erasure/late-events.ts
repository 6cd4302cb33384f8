/** What arrives late for an erased account, from each party that may still send something. */
import { expect } from 'vitest';
import { creditOrderScene } from '../../functions/credit-order-scene.ts';
import { subscriptionScene } from '../../functions/subscription-scene.ts';
import { withdraw, withdrawal } from '../../support/connected-pages.ts';
import { callAsPage } from '../../support/given-session.ts';
import { inboxSettled } from '../../support/inbox-settled.ts';
import type { TestService } from '../../support/test-service.ts';
import { type Parties, sources } from '../extremes/inbound-sources.ts';
import { type CanaryAccount, withCanary } from './canary-account.ts';

/** What is noted before the closure, to be used after the erasure. */
export async function noteForLater(host: TestService, { accountId }: Pick<CanaryAccount, 'accountId'>) {
  const { context } = host.service;
  const taskIds = await context.tasks.ids(accountId, {}, { limit: 100, offset: 0 });
  const orders = await context.orders.list(accountId, {}, { limit: 100, offset: 0 });
  const paid = orders.filter(({ status }) => status === 'paid').map(({ orderId, type }) => ({ orderId, type }));
  return {
    taskIds,
    packs: paid.filter(({ type }) => type === 'pix_credit_pack').map(({ orderId }) => orderId),
    subscriptions: paid.filter(({ type }) => type !== 'pix_credit_pack').map(({ orderId }) => orderId),
  };
}

type Noted = Awaited<ReturnType<typeof noteForLater>>;

/** Engines report on jobs whose tasks are erased; a response of 5xx would make them repeat it. */
async function reportJobs({ engine }: TestService, { taskIds }: Noted, canary: string): Promise<void> {
  const known = taskIds.flatMap((taskId) => engine.jobs.get(taskId) ?? []);
  expect(known.length).toBeGreaterThan(5);
  const ends = [
    (job: (typeof known)[number]) => engine.done(job),
    (job: (typeof known)[number]) => engine.report(job, 'failed', { error: { code: canary, message: canary } }),
  ];
  for (const job of known.filter(({ callbackUrl }) => callbackUrl !== undefined))
    for (const end of ends) expect(await engine.callBack(job, end(job))).toBeLessThan(500);
}

/** Steps of state machines and messages of queues that were under way. */
async function repeatSteps({ service: { invoke } }: TestService, { taskIds }: Noted, accountId: string) {
  const record = (message: object) => ({ Records: [{ messageId: 'late', body: JSON.stringify(message) }] });
  const output = { url: 'http://127.0.0.1:9/late.mp3', contentType: 'audio/mpeg' };
  for (const taskId of taskIds.slice(0, 5)) {
    await invoke('askEngine', { taskId, token: 'late' });
    await invoke('finalize', { taskId, outcome: { status: 'done', outputs: [output] } });
    await invoke('deliverWebhook', record({ taskId, attempt: 3 }));
  }
  for (const channel of ['facebook', 'instagram'])
    for (const kind of [{ kind: 'work' }, { kind: 'participant', participantId: 'late' }])
      await invoke('processInboxMessage', record({ ...kind, accountId, channel, pageId: 'late' }));
}

/** Payments are taken back: their credits are booked in the ledger, which has no name any more. */
async function takePaymentsBack(host: TestService, { packs, subscriptions }: Noted, accountId: string): Promise<void> {
  const { context } = host.service;
  const account = { accountId, token: '', tokenId: '', webhookToken: '' };
  const [pack] = packs;
  const [subscription] = subscriptions;
  if (!pack || !subscription) throw new Error('nothing was paid');
  const before = (await context.accounts.find(accountId))?.balance ?? 0;
  await creditOrderScene(host, account).change(pack, 'refund');
  await subscriptionScene(host, account).change(subscription, 'refund');
  expect(await context.orders.findPack(pack)).toMatchObject({ status: 'refunded' });
  expect((await context.accounts.find(accountId))?.balance).toBeLessThan(before);
}

/** Social networks and browsers that still know the account. */
async function visitAgain({ cookie, scene }: CanaryAccount, parties: Parties, canary: string): Promise<void> {
  const { account, host, pages } = scene;
  await sources.socialEvents(scene, withCanary(canary), parties);
  const { metaFacebookSecrets } = host.service.context.settings;
  const notice = await withdraw(host.url, 'deauthorize', withdrawal(metaFacebookSecrets, pages.facebook));
  expect(notice.status).toBe(200);
  await inboxSettled(host.service.context);
  for (const operationId of ['getSession', 'reopenAccount', 'requestExport'] as const)
    expect((await callAsPage(host.url, operationId, { cookie, body: {} })).status).toBe(401);
  const body = { text: canary, voice: 'bill' };
  expect((await host.call('generateVoice', { token: account.token, body })).status).toBe(401);
}

export async function sendLateEvents(
  made: CanaryAccount,
  noted: Noted,
  parties: Parties,
  canary: string,
): Promise<void> {
  const { accountId, scene } = made;
  const { host } = scene;
  await reportJobs(host, noted, canary);
  await repeatSteps(host, noted, accountId);
  await takePaymentsBack(host, noted, accountId);
  await visitAgain(made, parties, canary);
}
