/** Events of payments over HTTP: each applies once, in any order, and only if the gateway signed it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MercadoPagoFake } from '../../infra/local/sandboxes/mercado-pago/mercado-pago-fake.ts';
import { type TestAccount, type TestService, testService } from '../support/test-service.ts';
import { creditOrderScene } from './credit-order-scene.ts';

let host: TestService;
let account: TestAccount;
let gateway: MercadoPagoFake;
let scene: ReturnType<typeof creditOrderScene>;

type Change = Parameters<MercadoPagoFake['do']>[1];

beforeAll(async () => {
  host = await testService();
  gateway = host.service.payments;
});
afterAll(() => host.close());
beforeEach(async () => {
  gateway.events = 'at once';
  account = await host.account({ credits: 10 });
  scene = creditOrderScene(host, account);
});

interface Order {
  readonly id: string;
  readonly status: string;
}

async function ordered(): Promise<Order> {
  const response = await host.call('createCreditOrder', { token: account.token, body: { packId: 'pack-100' } });
  expect(response.status, response.text).toBe(201);
  return response.body.data as Order;
}

const read = async (orderId: string) => (await scene.read(orderId)) as Order;

const chargeOf = ({ id }: Order) => scene.chargeOf(id);
const balance = () => scene.balance();
const cases = ({ id }: Order) => scene.openCases(id);
const happens = ({ id }: Order, ...changes: Change[]) => scene.change(id, ...changes);

test('an event that is repeated has no further effect, whatever has happened since', async () => {
  const order = await ordered();
  await happens(order, 'pay');
  gateway.events = 'lost';
  await happens(order, 'refund');
  await gateway.resend(chargeOf(order));
  expect([(await read(order.id)).status, await balance()]).toEqual(['paid', 110]);
  await host.service.invoke('reconcileOrders', {});
  expect([(await read(order.id)).status, await balance()]).toEqual(['refunded', 10]);
});

test('an event of another payment takes effect, even with an id that was used before', async () => {
  const [order, other] = [await ordered(), await ordered()];
  await happens(order, 'pay');
  gateway.events = 'lost';
  await happens(other, 'pay');
  await gateway.resend(chargeOf(other));
  expect([(await read(other.id)).status, await balance()]).toEqual(['paid', 210]);
});

test('the event of a payment that arrives after the event of its refund credits nothing', async () => {
  const order = await ordered();
  gateway.events = 'held';
  await happens(order, 'pay');
  gateway.events = 'at once';
  await happens(order, 'refund');
  expect([(await read(order.id)).status, await balance(), await cases(order)]).toEqual(['refunded', 10, []]);
  await host.audit();
});

test('forged events change nothing', async () => {
  const order = await ordered();
  gateway.events = 'lost';
  await happens(order, 'pay');
  const url = `${host.url}/inbound/payments/mercado-pago?data.id=${chargeOf(order)}&type=payment`;
  const ts = host.clock.now();
  for (const signature of ['', `ts=${ts},v1=${'0'.repeat(64)}`, `ts=${ts},v1=`]) {
    const headers = { 'x-signature': signature, 'x-request-id': 'forged', 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(401);
  }
  expect([(await read(order.id)).status, await balance()]).toEqual(['pending', 10]);
});
