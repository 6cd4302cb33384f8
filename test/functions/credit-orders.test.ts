/** Credit packs over HTTP: how they are ordered, paid and refunded, and the data that is never shown. */
import { beforeEach, describe, expect, test } from 'vitest';
import { settingVariables } from '../../shared/platform/settings.ts';
import { giveOrder } from '../support/given-order.ts';
import { storedItems } from '../support/stored-items.ts';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';
import { creditOrderScene, type Order } from './credit-order-scene.ts';

let account: TestAccount;
let scene: ReturnType<typeof creditOrderScene>;

const host = await serviceInTests();
const gateway = host.service.payments;
beforeEach(async () => {
  gateway.events = 'at once';
  gateway.outcomes.length = 0;
  account = await host.account({ credits: 10 });
  scene = creditOrderScene(host, account);
});

const payer = { name: 'Zuleica Canário', taxId: '529.982.247-25', email: 'zuleica@canario.example' };

test('a credit order shows how to pay it, and nothing about the payer', async () => {
  const order = await scene.order({ packId: 'pack-500', payer });
  expect(order).toEqual({
    id: expect.any(String),
    type: 'pix_credit_pack',
    paymentMethod: 'mercado-pago',
    status: 'pending',
    amount: 59.9,
    currency: 'BRL',
    credits: 500,
    planId: 'pack-500',
    planName: null,
    billingInterval: null,
    packName: '500 credits',
    createdAt: expect.any(String),
    paidAt: null,
    canceledAt: null,
    pix: { qrCode: expect.stringMatching(/^000201/), qrCodeBase64: expect.any(String), expiresAt: expect.any(String) },
  });
  const { createdAt, pix } = order as unknown as { createdAt: string; pix: Order['pix'] };
  expect(Date.parse(pix.expiresAt) - Date.parse(createdAt)).toBe(30 * 60_000);
  expect(await scene.read(order.id)).toEqual(order);
});

test('the payment of a credit order is credited once, however often it is reported', async () => {
  const order = await scene.order();
  gateway.events = 'twice';
  await scene.change(order.id, 'pay');
  await host.service.invoke('reconcileOrders', {});
  expect(await scene.read(order.id)).toMatchObject({ status: 'paid', paidAt: expect.any(String) });
  expect(await scene.balance()).toBe(110);
  const history = (await host.call('listCreditHistory', { token: account.token })).body.data;
  expect(history).toMatchObject({
    history: [{ amount: 100, reason: 'purchase', toolId: null, description: `Order ${order.id}` }, { amount: 10 }],
  });
  await host.audit();
});

test('a payment whose event was lost is credited by the reconciliation', async () => {
  const order = await scene.order();
  gateway.events = 'lost';
  await scene.change(order.id, 'pay');
  expect(await scene.balance()).toBe(10);
  await host.service.invoke('reconcileOrders', {});
  expect([(await scene.read(order.id)).status, await scene.balance()]).toEqual(['paid', 110]);
});

describe('a request for a credit order', () => {
  test('that is repeated gets the same order, with only one charge', async () => {
    const headers = { 'idempotency-key': 'once' };
    const before = gateway.payments().length;
    const all = await Promise.all(Array.from({ length: 4 }, () => scene.buy(undefined, headers)));
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
    expect(gateway.payments()).toHaveLength(before + 1);
  });

  test('that is repeated with different punctuation in the tax id counts as the same request', async () => {
    const headers = { 'idempotency-key': 'punctuation' };
    const buyAs = (taxId: string) => scene.buy({ packId: 'pack-100', payer: { ...payer, taxId } }, headers);
    const [first, second] = [await buyAs('12.ABC.345/01DE-35'), await buyAs('12abc34501de35')];
    expect([first.status, second.text]).toEqual([201, first.text]);
  });

  test('whose charge gets no response from the gateway gets 503, and a retry completes the same charge', async () => {
    const headers = { 'idempotency-key': 'lost' };
    const before = gateway.payments().length;
    gateway.outcomes.push('lost');
    const lost = await scene.buy(undefined, headers);
    expect([lost.status, lost.body.error?.code, lost.headers['retry-after']]).toEqual([
      503,
      'PROVIDER_UNAVAILABLE',
      '10',
    ]);
    expect((await scene.buy(undefined, headers)).status).toBe(201);
    expect(gateway.payments()).toHaveLength(before + 1);
  });

  test('that is sent many times concurrently creates one order, at the latest on a retry after a 503', async () => {
    const before = gateway.payments().length;
    const purchase = async (key: string): Promise<Order> => {
      const response = await scene.buy(undefined, { 'idempotency-key': key });
      if (response.status === 201) return response.body.data as Order;
      expect([response.status, response.headers['retry-after']], response.text).toEqual([503, '2']);
      return purchase(key);
    };
    const orders = await Promise.all(Array.from({ length: 20 }, (_, nth) => purchase(`parallel ${nth}`)));
    expect(new Set(orders.map(({ id }) => id)).size).toBe(20);
    expect(gateway.payments()).toHaveLength(before + 20);
  });

  test('that the gateway refuses gets 503 and leaves nothing behind', async () => {
    gateway.outcomes.push(401);
    const refused = await scene.buy();
    expect([refused.status, refused.body.error?.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    const { orders } = (await host.call('listOrders', { token: account.token })).body.data as { orders: Order[] };
    expect(orders).toEqual([]);
  });

  test('from an account with twenty unpaid orders gets 409, and nothing is charged', async () => {
    const headers = { 'idempotency-key': 'first of many' };
    const first = await scene.buy(undefined, headers);
    for (let given = 1; given < 20; given += 1) await giveOrder(host.service.context, account.accountId);
    const before = gateway.payments().length;
    const rejected = await scene.buy();
    expect([rejected.status, rejected.body.error?.code]).toEqual([409, 'TOO_MANY_OPEN_ORDERS']);
    expect(rejected.body.error?.message).toMatch(/^The account has 20 unpaid orders or open checkouts/);
    expect(rejected.headers['retry-after']).toBeUndefined();
    expect(gateway.payments()).toHaveLength(before);
    expect((await scene.buy(undefined, headers)).text).toBe(first.text);
    const { id } = first.body.data as Order;
    await scene.change(id, 'pay');
    expect((await scene.buy()).status).toBe(201);
  });

  test('for a pack that does not exist gets 404', async () => {
    expect((await scene.buy({ packId: 'pack-7' })).status).toBe(404);
  });

  test.for([
    [{ taxId: '529.982.247-26' }, 'payer.taxId must be a CPF or CNPJ with valid check digits'],
    [{ email: 'unknown' }, 'payer.email must be an email address of at most 254 characters'],
    [
      { name: '' },
      'payer.name must be a string of 1 to 120 characters; payer.name must contain a character that is not whitespace',
    ],
    [{ name: ' ' }, 'payer.name must contain a character that is not whitespace'],
    [{ email: '.@-.-' }, 'payer.email must be an email address of at most 254 characters'],
  ] as const)('with an invalid payer (%j) gets 400 and an error that names the field', async ([given, message]) => {
    const response = await scene.buy({ packId: 'pack-100', payer: { ...payer, ...given } });
    expect([response.status, response.body.error?.message]).toEqual([400, message]);
  });

  test('with an apostrophe in the email address is accepted', async () => {
    await scene.order({ packId: 'pack-100', payer: { ...payer, email: "o'brien@example.com" } });
  });

  test('to a service without a payment gateway gets 503', async () => {
    await host.withEnvironment({ [settingVariables.pixGateway]: 'none' }, async () => {
      expect((await scene.buy()).status).toBe(503);
    });
  });
});

test('a charge whose order was never stored is canceled once no repeated request can complete it', async () => {
  gateway.outcomes.push('lost');
  await scene.buy();
  const orphan = gateway.payments().at(-1);
  await host.service.invoke('reconcileOrders', {});
  expect(gateway.payments().at(-1)?.status).toBe('pending');
  host.clock.advance(33 * 60_000);
  await host.service.invoke('reconcileOrders', {});
  expect(gateway.payments().find(({ id }) => id === orphan?.id)?.status_detail).toBe('by_collector');
});

test('a charge whose order was never stored can be paid while a repeated request can still complete it', async () => {
  const headers = { 'idempotency-key': 'slow' };
  gateway.outcomes.push('lost');
  await scene.buy(undefined, headers);
  host.clock.advance(28 * 60_000);
  await host.service.invoke('reconcileOrders', {});
  const repeated = await scene.buy(undefined, headers);
  expect(repeated.status, repeated.text).toBe(201);
  const order = repeated.body.data as Order;
  await scene.change(order.id, 'pay');
  expect([(await scene.read(order.id)).status, await scene.balance()]).toEqual(['paid', 110]);
});

test('reconciliation finds a refund, and a charge without an order, however long events were lost and the gateway was down', async () => {
  const order = await scene.order();
  await scene.change(order.id, 'pay');
  await host.service.invoke('reconcileOrders', {});
  gateway.events = 'lost';
  await scene.change(order.id, 'refund');
  gateway.outcomes.push('lost');
  await scene.buy();
  const orphan = gateway.payments().at(-1)?.id ?? 0;
  gateway.do(orphan, 'pay');
  host.clock.advance(40 * 3_600_000);
  gateway.outcomes.push(500);
  await host.service.invoke('reconcileOrders', {});
  await host.service.invoke('reconcileOrders', {});
  expect([(await scene.read(order.id)).status, await scene.balance()]).toEqual(['refunded', 10]);
  const open = await host.service.context.cases.list({ onlyOpen: true });
  expect(open.filter(({ paymentId }) => paymentId === String(orphan))).toMatchObject([
    { kind: 'payment-without-order' },
  ]);
});

test('the reconciliation settles orders even if its search for charges at the gateway fails', async () => {
  const order = await scene.order();
  gateway.events = 'lost';
  await scene.change(order.id, 'pay');
  gateway.outcomes.push(500);
  expect(await host.service.invoke('reconcileOrders', {})).toMatchObject({ failed: 1 });
  expect([(await scene.read(order.id)).status, await scene.balance()]).toEqual(['paid', 110]);
});

test('credit orders are listed newest first, with or without a filter by status', async () => {
  const [first, second] = [await scene.order(), await scene.order()];
  await scene.change(first.id, 'pay');
  const list = async (query: string) =>
    ((await host.call('listOrders', { token: account.token, query })).body.data as { orders: Order[] }).orders.map(
      ({ id }) => id,
    );
  expect(await list('')).toEqual([second.id, first.id]);
  expect(await list('status=paid')).toEqual([first.id]);
  expect(await list('status=pending&limit=1')).toEqual([second.id]);
  expect(await list('offset=1')).toEqual([first.id]);
});

test('a credit order of another account is not found', async () => {
  const order = await scene.order();
  const stranger = await host.account();
  const response = await host.call('getOrder', { token: stranger.token, params: { orderId: order.id } });
  expect(response.status).toBe(404);
});

test('nothing about the payer of a credit order is stored', async () => {
  const order = await scene.order({ packId: 'pack-100', payer });
  await scene.change(order.id, 'pay');
  const stored = JSON.stringify([...(await storedItems(host.service.environment)).values()]);
  expect(stored).toContain(order.id);
  for (const canary of ['Zuleica', 'Canário', '52998224725', '529.982.247-25', 'zuleica@canario.example'])
    expect(stored).not.toContain(canary);
});
