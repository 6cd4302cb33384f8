/** Events of subscriptions over HTTP: each applies once, in any order, and only if the gateway signed it a short time ago. */
import { beforeEach, expect, test } from 'vitest';
import {
  checkoutEvent,
  eventSecretOf,
  type SignedEvent,
  sendEvent,
  signatureOf,
  signEvent,
} from '../support/signed-subscription-event.ts';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';
import { subscriptionScene } from './subscription-scene.ts';

let account: TestAccount;
let scene: ReturnType<typeof subscriptionScene>;

const host = await serviceInTests();
const gateway = host.service.subscriptions;
beforeEach(async () => {
  gateway.events = 'at once';
  account = await host.account({ credits: 10 });
  scene = subscriptionScene(host, account);
});

const none = { status: 'pending', plan: undefined, features: [], balance: 10 };
const active = { status: 'active', plan: 'pro', features: ['cortes', 'studio'], balance: 2010 };

test('a paid checkout grants the plan, its features and a month’s credits, once', async () => {
  const orderId = await scene.subscribe();
  expect(await scene.standing()).toEqual(none);
  gateway.events = 'twice';
  await scene.pay(orderId);
  expect(await scene.standing()).toEqual(active);
  expect(await scene.orderStatus(orderId)).toBe('paid');
  await host.service.invoke('reconcileSubscriptions', {});
  expect(await scene.standing()).toEqual(active);
  await host.audit();
});

test('a declined card changes nothing, and the checkout can still be paid', async () => {
  const orderId = await scene.subscribe();
  await scene.pay(orderId, '4000000000000002');
  expect(await scene.standing()).toEqual(none);
  await scene.pay(orderId);
  expect(await scene.standing()).toEqual(active);
});

test('the reconciliation makes the changes that lost subscription events would have caused', async () => {
  const orderId = await scene.subscribe();
  gateway.events = 'lost';
  await scene.pay(orderId);
  expect(await scene.standing()).toEqual(none);
  await host.service.invoke('reconcileSubscriptions', {});
  expect(await scene.standing()).toEqual(active);
  await scene.change(orderId, 'refund');
  await host.service.invoke('reconcileSubscriptions', {});
  expect(await scene.standing()).toEqual({ ...none, status: 'canceled' });
  expect([await scene.orderStatus(orderId), await scene.openCases(orderId)]).toEqual(['refunded', []]);
});

test('a subscription whose renewal fails is past due until the renewal is paid, which grants its credits', async () => {
  const orderId = await scene.subscribe();
  await scene.pay(orderId);
  await scene.change(orderId, 'fail-renewal');
  expect(await scene.standing()).toEqual({ ...active, status: 'past_due' });
  await scene.change(orderId, 'pay-invoice');
  expect(await scene.standing()).toEqual({ ...active, balance: 4010 });
  await host.audit();
});

const seconds = () => Math.floor(host.clock.now() / 1000);

const hmac = (body: string, t: number | string, secret = eventSecretOf(host)) => signatureOf(body, t, secret);

const changedAt = (text: string, index: number): string =>
  `${text.slice(0, index)}${text[index] === '0' ? '1' : '0'}${text.slice(index + 1)}`;

const spread = (count: number, length: number): number[] =>
  Array.from({ length: count }, (_, index) => Math.floor((index * length) / count));

/** Events that are genuine except for one detail each. */
function* forgeries(body: string): Generator<SignedEvent> {
  const t = seconds();
  const v1 = hmac(body, t);
  for (const index of spread(64, 64)) yield { body, signature: `t=${t},v1=${changedAt(v1, index)}` };
  for (const index of spread(70, body.length)) yield { body: changedAt(body, index), signature: `t=${t},v1=${v1}` };
  for (const off of [-200, -100, -10, -3, -2, -1, 1, 2, 3, 10, 100, 200])
    yield { body, signature: `t=${t + off},v1=${v1}` };
  // Outdated timestamps, and future ones, with which an event could be stored for later.
  for (const age of [301, 302, 330, 360, 600, 3600, 86_400, 1e7, 1e9]) {
    for (const at of [t - age, t + age]) yield { body, signature: `t=${at},v1=${hmac(body, at)}` };
  }
  for (const secret of [
    '',
    ' ',
    'whsec_',
    'secret',
    eventSecretOf(host).slice(1),
    eventSecretOf(host).slice(0, -1),
    `${eventSecretOf(host)} `,
  ])
    yield { body, signature: `t=${t},v1=${hmac(body, t, secret)}` };
  for (const other of [`${body}\n`, ` ${body}`, `\uFEFF${body}`, JSON.stringify(JSON.parse(body)), '{}', ''])
    yield { body: other, signature: `t=${t},v1=${v1}` };
  for (const at of ['', '0', 'NaN', '-1', `${t}.0`, `+${t}`, `0x${t.toString(16)}`, String(t * 1000), 'Infinity'])
    yield { body, signature: `t=${at},v1=${hmac(body, at)}` };
  for (const signature of [
    '',
    't',
    'v1',
    ',',
    '=',
    `t=${t}`,
    `t=${t},`,
    `v1=${v1}`,
    v1,
    `t=${t},v1=`,
    `t=${t},v0=${v1}`,
    `t=${t},v2=${v1}`,
    `t=${t},v1=${v1.slice(1)}`,
    `t=${t},v1=${v1}0`,
    `t=${t},v1=${v1.slice(0, 32)}`,
    `t=${t} v1=${v1}`,
    `t=${t};v1=${v1}`,
    `T=${t},V1=${v1}`,
    `t=${t},v1="${v1}"`,
    `t=${t},v1=0x${v1}`,
    `t=${t},v1=${Buffer.from(v1, 'hex').toString('base64')}`,
  ])
    yield { body, signature };
}

test('forged and old subscription events change nothing, and the genuine event takes effect once', async () => {
  const orderId = await scene.subscribe();
  gateway.events = 'lost';
  await scene.pay(orderId);
  const { checkoutId } = await scene.find(orderId);
  const body = checkoutEvent({ eventId: 'evt_genuine', orderId, checkoutId });
  const variants = [...forgeries(body)];
  expect(variants.length).toBeGreaterThanOrEqual(200);
  for (const variant of variants) {
    const { status } = await sendEvent(host, variant);
    expect(status, `${variant.signature}\n${variant.body}`).toBe(401);
  }
  expect([await scene.standing(), await scene.orderStatus(orderId)]).toEqual([none, 'pending']);
  const genuine = signEvent(host, body);
  for (let times = 0; times < 3; times += 1) {
    expect((await sendEvent(host, genuine)).status).toBe(200);
    expect(await scene.standing()).toEqual(active);
  }
});

test('a Stripe event about anything but subscriptions is acknowledged', async () => {
  const payout = { id: 'evt_other', object: 'event', type: 'payout.paid', data: { object: { id: 'po_1' } } };
  const later = { id: 'evt_65', object: 'v2.core.event', type: 'v2.core.account.updated' };
  for (const event of [payout, later]) {
    const body = JSON.stringify({ ...event, livemode: false });
    expect((await sendEvent(host, signEvent(host, body))).status).toBe(200);
  }
});
