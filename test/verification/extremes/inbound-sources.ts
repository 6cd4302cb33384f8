/**
 * Everything that external parties send to the service, with extreme values, together with some unchanged data that
 * must be shown.
 */
import { createHash, createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { localIssuer } from '../../../infra/local/identity/local-issuer.ts';
import type { Channel } from '../../../shared/contracts/channels.ts';
import { features } from '../../../shared/contracts/features.ts';
import { inboundRoutes } from '../../../shared/contracts/inbound.ts';
import { loginRoutes } from '../../../shared/contracts/login.ts';
import { inboxIdOf } from '../../../shared/domain/inbox-keys.ts';
import { accountKey, identityKey } from '../../../shared/domain/keys.ts';
import { referenceOf } from '../../../shared/gateways/order-reference.ts';
import { creditOrderScene } from '../../functions/credit-order-scene.ts';
import { subscriptionScene } from '../../functions/subscription-scene.ts';
import { withdraw, withdrawal } from '../../support/connected-pages.ts';
import { callAsPage } from '../../support/given-session.ts';
import { checkoutEvent, sendEvent, signEvent } from '../../support/signed-subscription-event.ts';
import type { DistortingProxy } from './distorting-proxy.ts';
import type { Distort } from './extreme-values.ts';
import type { PlantedAccount, Shown } from './planted-account.ts';

export interface Parties {
  readonly payments: DistortingProxy;
  readonly subscriptions: DistortingProxy;
  readonly social: DistortingProxy;
  /** The claims of the user who logs in next. */
  claims: Readonly<Record<string, unknown>>;
}

/** Sends the data; resolves with the unchanged data that lists must show beside the extreme data. */
export type Source = (account: PlantedAccount, distort: Distort, parties: Parties) => Promise<readonly Shown[]>;

let number = 0;
const unique = (name: string): string => {
  number += 1;
  return `${name}-${number}`;
};

function socialEntry({ host, pages }: PlantedAccount, channel: Channel) {
  const { [channel]: page } = pages;
  const { world } = host.service.social;
  const [[person], [post]] = [world.people(page), world.posts(page)];
  const [time, sender, recipient] = [host.clock.now(), { id: person?.id }, { id: page.id }];
  const about = { sender, recipient, timestamp: time };
  const attachments = [{ type: 'image', payload: { url: 'https://files.example/1.png' } }];
  const facebook = {
    item: 'comment',
    verb: 'add',
    comment_id: unique('comment'),
    post_id: post?.id,
    parent_id: post?.id,
    from: { id: sender.id, name: 'Ana' },
    message: 'Quero!',
    created_time: Math.floor(time / 1000),
  };
  const instagram = {
    id: unique('comment'),
    text: 'Quero!',
    from: { ...sender, username: 'ana' },
    media: { id: post?.id },
  };
  return {
    time,
    messaging: [
      { ...about, message: { mid: unique('message'), text: 'Oi', attachments, is_deleted: false } },
      { ...about, read: { watermark: time } },
      { ...about, delivery: { watermark: time } },
    ],
    changes: [channel === 'facebook' ? { field: 'feed', value: facebook } : { field: 'comments', value: instagram }],
  };
}

async function postSocial({ host }: PlantedAccount, object: string, entry: readonly object[]): Promise<number> {
  const body = JSON.stringify({ object, entry });
  const secret = host.service.context.settings.metaFacebookSecrets;
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` };
  return (await fetch(host.url + inboundRoutes.receiveSocialEvent.path, { method: 'POST', headers, body })).status;
}

/**
 * Events of both channels, one of which contains an unchanged message; withdrawals of consent, and the social network's
 * verification request.
 */
const socialEvents: Source = async (account, distort) => {
  const { host, pages } = account;
  const { world } = host.service.social;
  const { metaFacebookSecrets, metaVerifyToken } = host.service.context.settings;
  const [person] = world.people(pages.facebook);
  const mid = unique('genuine');
  const [sender, recipient] = [{ id: person?.id }, { id: pages.facebook.id }];
  const genuine = { sender, recipient, timestamp: host.clock.now(), message: { mid, text: 'Oi' } };
  const extreme = (channel: Channel) => ({
    ...(distort(socialEntry(account, channel)) as object),
    id: pages[channel].id,
  });
  const last = { id: pages.facebook.id, time: host.clock.now(), messaging: [genuine] };
  expect(await postSocial(account, 'instagram', [extreme('instagram')])).toBe(200);
  expect(await postSocial(account, 'page', [extreme('facebook'), last])).toBe(200);
  const { userId, challenge } = distort({ userId: '404', challenge: '1158' }) as Record<string, string>;
  const withdrawn = await withdraw(host.url, 'deauthorize', withdrawal(metaFacebookSecrets, { userId: userId ?? '' }));
  const query = { 'hub.mode': 'subscribe', 'hub.verify_token': metaVerifyToken };
  const asked = new URLSearchParams({ ...query, 'hub.challenge': (challenge ?? '').slice(0, 1000) });
  const confirmed = await fetch(`${host.url}${inboundRoutes.confirmSocialWebhook.path}?${asked.toString()}`);
  expect(Math.max(withdrawn.status, confirmed.status)).toBeLessThan(500);
  return [['listMessages', inboxIdOf({ channel: 'facebook', pageId: pages.facebook.id }, mid)]];
};

/** What a synchronization reads of both pages; everything that existed before stays unchanged. */
const socialReads: Source = async ({ account, host, pages }, distort, { social }) => {
  const { world } = host.service.social;
  const shown: Shown[] = [];
  const spared: string[] = [];
  // The events are lost, so that only the synchronization reports the following changes.
  host.service.social.events = 'lost';
  for (const page of Object.values(pages)) {
    const people = world.people(page);
    const posts = world.posts(page);
    const comments = posts.flatMap((post) => world.comments(post.id));
    const [first, post] = [people[0], posts[0]];
    if (!first || !post) throw new Error('the shop is incomplete');
    const known = [...people, ...posts, ...comments, ...people.flatMap((one) => world.messagesWith(one))];
    const message = world.write(first, 'Oi');
    const comment = world.addComment(post, first.id, 'Quero!');
    spared.push(...known.map(({ id }) => id), ...people.map(({ id }) => `t_${id}`), message.id, comment.id);
    if (page.channel === 'facebook') {
      const of = { channel: page.channel, pageId: page.id };
      shown.push(['listMessages', inboxIdOf(of, message.id)], ['listComments', inboxIdOf(of, comment.id)]);
    }
    const stranger = world.addPerson(page, unique('Ana'));
    world.write(stranger, 'Oi', { imageUrl: 'https://files.example/1.png' });
    world.addComment(post, stranger.id, 'Quero!');
  }
  await social.distorting(distort, spared, async () => {
    for (const channel of Object.keys(pages)) {
      const body = JSON.stringify({ kind: 'work', accountId: account.accountId, channel });
      await host.service.invoke('processInboxMessage', { Records: [{ messageId: unique('work'), body }] });
    }
  });
  host.service.social.events = 'at once';
  return shown;
};

/** Two charges by PIX, and the data that is read about them: the payment after its event, and a search. */
const pixPayments: Source = async ({ account, host }, distort, { payments }) => {
  const scene = creditOrderScene(host, account);
  const order = await scene.order();
  const reference = referenceOf(order.id, 'local');
  await payments.distorting(distort, [reference], async () => {
    const made = await scene.buy();
    // A charge with a different amount counts as a failure of the gateway.
    expect([201, 503], made.text).toContain(made.status);
    const fake = host.service.payments;
    for (const { id, status } of fake.payments()) if (status === 'pending') fake.do(id, 'pay');
    await fake.sent();
    await host.service.invoke('reconcileOrders', {});
  });
  expect(await scene.read(order.id)).toMatchObject({ status: 'paid' });
  return [['listOrders', order.id]];
};

/**
 * Two checkouts, of which that of the other account stays unchanged: their events, what is read about them, and a
 * search.
 */
const subscriptions: Source = async (planted, distort, { subscriptions: proxy }) => {
  const { account, host } = planted;
  const { subscriptions: fake } = host.service;
  const [scene, other] = [subscriptionScene(host, account), subscriptionScene(host, await host.account())];
  const [orderId, otherId] = [await scene.subscribe(), await other.subscribe()];
  const { checkoutId } = await scene.find(orderId);
  const paid = fake.pay((await other.find(otherId)).checkoutId);
  if (!('subscription' in paid)) throw new Error('the card was declined');
  const named = [paid.subscription, paid.customer].filter((id) => typeof id === 'string');
  const spared = [referenceOf(otherId, 'local'), paid.id, ...named];
  await proxy.distorting(distort, spared, async () => {
    fake.pay(checkoutId);
    await fake.sent();
    const event = JSON.parse(
      checkoutEvent({ eventId: unique('evt_').replaceAll('-', ''), orderId, checkoutId }),
    ) as object;
    const extreme = await sendEvent(host, signEvent(host, JSON.stringify(distort(event))));
    expect(extreme.status).toBeLessThan(500);
    await host.service.invoke('reconcileSubscriptions', {});
  });
  expect(await other.standing()).toMatchObject({ status: 'active', plan: 'pro' });
  // The account is given a plan with the inbox again, because the lists of the inbox require it, and the subscription
  // may have changed the plan.
  await host.service.context.table.update({
    Key: accountKey(account.accountId),
    UpdateExpression: 'SET features = :features',
    ExpressionAttributeValues: { ':features': features },
  });
  return [['listOrders', orderId]];
};

const clip = { title: 'Corte', hook: 'Veja!', score: 0.5, startTime: 0, endTime: 1 };

/** An engine's response to a submission, its callbacks, and its response to polls; finally, the texts of clips. */
const engineReports: Source = async ({ account: { token }, host }, distort) => {
  const { engine } = host;
  const genuine = await host.speak(token);
  const honest = await engine.jobOf(genuine);
  engine.play({
    submit: (job) => ({ status: 202, body: distort(engine.report(job, 'queued')) }),
    check: (job) => ({ status: 200, body: distort(engine.done(job)) }),
  });
  const taskId = await host.speak(token);
  const job = await engine.jobOf(taskId);
  const reports = [engine.report(job, 'running', { progress: 10 }), engine.done(job)];
  for (const report of reports) expect(await engine.callBack(job, distort(report) as object)).toBeLessThan(500);
  engine.play({});
  const cut = await host.call('generateCortes', { token, body: { videoUrl: engine.inputUrls.video } });
  const cutId = (cut.body.data as { taskId: string }).taskId;
  const cutting = await engine.jobOf(cutId);
  const done = engine.done(cutting) as { readonly outputs: readonly object[] };
  const outputs = done.outputs.map((output) => ({ ...output, clip: distort(clip) }));
  const isUnderstood = (await engine.callBack(cutting, { ...done, outputs })) < 300;
  await engine.callBack(honest, engine.done(honest));
  expect((await host.ended(token, genuine)).status).toBe('completed');
  if (isUnderstood) await host.ended(token, cutId);
  for (const open of [taskId, cutId]) await host.call('cancelTask', { token, params: { taskId: open } });
  return [genuine, taskId, cutId].map((id) => ['listTasks', id] as const);
};

/** A user returns from the identity provider; resolves with the session's cookie, if there is one. */
export async function logIn(
  { host }: Pick<PlantedAccount, 'host'>,
  parties: Parties,
  claims: object,
): Promise<string | undefined> {
  const started = await fetch(host.url + loginRoutes.startLogin.path, { redirect: 'manual' });
  const { searchParams } = new URL(started.headers.get('location') ?? '');
  const [state, nonce] = [searchParams.get('state') ?? '', searchParams.get('nonce')];
  const { identity, context } = host.service;
  const now = Math.floor(host.clock.now() / 1000);
  const own = {
    iss: localIssuer,
    aud: identity?.settings.identityClient,
    nonce,
    token_use: 'id',
    iat: now,
    exp: now + 300,
  };
  parties.claims = { ...claims, ...own };
  const cookies = started.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const query = new URLSearchParams({ code: 'code', state }).toString();
  const completed = await fetch(`${host.url}${loginRoutes.completeLogin.path}?${query}`, {
    redirect: 'manual',
    headers: { cookie: cookies.join('; '), host: new URL(context.settings.dashboardUrl).host },
  });
  expect([302, 303]).toContain(completed.status);
  const session = completed.headers.getSetCookie().find((cookie) => /^(__Host-)?session=[^;]/.test(cookie));
  return session?.split(';')[0];
}

/**
 * Log-ins in which the identity provider's claims have extreme values: with any user id, and with that of the account's
 * owner.
 */
const logins: Source = async (planted, distort, parties) => {
  const { account, host } = planted;
  const { table } = host.service.context;
  const sub = `owner-${account.accountId}`;
  const digest = createHash('sha256').update(`${localIssuer} ${sub}`).digest('base64url');
  await table.put({ Item: { ...identityKey(digest), accountId: account.accountId, createdAt: host.clock.now() } });
  const claims = () => ({
    sub,
    'cognito:username': `google_${sub}`,
    auth_time: Math.floor(host.clock.now() / 1000),
    origin_jti: unique('login'),
    email: `${unique('ana')}@example.com`,
    email_verified: true,
    name: 'Ana',
    identities: [{ providerName: 'Google' }],
  });
  for (const extreme of [distort(claims()), { ...(distort(claims()) as object), sub }]) {
    const cookie = await logIn(planted, parties, extreme as object);
    if (cookie === undefined) continue;
    for (const id of ['getSession', 'listSessions'] as const)
      expect([id, (await callAsPage(host.url, id, { cookie })).status]).toEqual([id, 200]);
  }
  const cookie = await logIn(planted, parties, claims());
  const { body } = await callAsPage(host.url, 'getSession', { cookie: cookie ?? '' });
  return [['listSessions', String(Object(body.data).sessionId)]];
};

export const sources = { socialEvents, socialReads, pixPayments, subscriptions, engineReports, logins };

/** The type requires a source for every inbound route, so that a new route does not compile without one. */
export const fedRoutes: Readonly<Record<keyof typeof inboundRoutes, keyof typeof sources>> = {
  receiveEngineCallback: 'engineReports',
  receivePaymentEvent: 'pixPayments',
  receiveSubscriptionEvent: 'subscriptions',
  confirmSocialWebhook: 'socialEvents',
  receiveSocialEvent: 'socialEvents',
  receiveSocialWithdrawal: 'socialEvents',
};
