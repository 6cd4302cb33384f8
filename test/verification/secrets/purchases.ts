/**
 * Credit packs that are paid, refunded, paid twice or rejected, and several subscriptions, of which only one may
 * continue.
 */

import { settingVariables } from '../../../shared/platform/settings.ts';
import { eventually } from '../../support/eventually.ts';
import { checkoutPage } from '../../support/subscription-pages.ts';
import type { World } from './world.ts';

interface Order {
  readonly id: string;
  readonly orderId: string;
  readonly checkoutUrl: string;
  readonly pix: { readonly qrCode: string };
}

const setting = ({ service }: World, name: keyof typeof settingVariables) =>
  service.environment[settingVariables[name]];

const becomes = ({ context }: World, id: string, status: string) =>
  eventually(`an order that is ${status}`, async () =>
    (await context.orders.find(id))?.status === status ? true : undefined,
  );

/** The gateway's data about a payment that the service shows to no account. */
async function followPayment(world: World, pageUrl: string): Promise<void> {
  const address = pageUrl.replace('/payments/', '/v1/payments/');
  const headers = { authorization: `Bearer ${setting(world, 'mercadoPagoToken')}` };
  const payment = await (await fetch(address, { headers })).json();
  const { id, point_of_interaction: point } = payment as {
    readonly id: number;
    readonly point_of_interaction: { readonly transaction_data: { readonly e2e_id: string } };
  };
  world.canaries.push(
    { name: 'paymentId', text: String(id) },
    { name: 'endToEndId', text: point.transaction_data.e2e_id },
  );
}

/** The gateway is unavailable when an event arrives, and during the reconciliation. */
async function withoutGateway(world: World, press: (action: string) => Promise<unknown>): Promise<void> {
  const { lines, service } = world;
  lines.gateway.fail('cut', /v1\/payments/);
  await press('refund');
  await service.invoke('reconcileOrders', {});
  lines.gateway.mend();
}

/** Waits half a minute for an event whose processing failed; other work can run meanwhile. */
export async function buyPacks(world: World, token: string): Promise<void> {
  const { service, words } = world;
  const { payerName: name, payerEmail: email, payerTaxId: taxId } = words;
  const buy = (payer: object) =>
    world.call('createCreditOrder', { token, body: { packId: 'pack-100', payer: { name, email, taxId, ...payer } } });
  for (const wrong of [{ taxId: `${taxId}0` }, { email: `${email} ` }, { name: [name] }]) await buy(wrong);
  const { id, pix } = (JSON.parse((await buy({})).body) as { data: Order }).data;

  const { url } = await fetch(`${setting(world, 'mercadoPagoUrl')}/pay?code=${encodeURIComponent(pix.qrCode)}`);
  const press = (action: string) =>
    fetch(url, { method: 'POST', body: new URLSearchParams({ action, events: 'twice' }) });
  await press('pay');
  await becomes(world, id, 'paid');
  await followPayment(world, url);
  await world.call('getOrder', { token, id });
  await press('pay');
  await withoutGateway(world, press);
  await becomes(world, id, 'refunded');
  const stray = { gateway: 'mercado-pago', eventId: 'stray', subject: '404' };
  const event = { Records: [{ messageId: 'stray', body: JSON.stringify(stray) }] };
  await service.invoke('processPaymentEvent', event);
}

/** The gateway's data about a subscription. */
async function followSubscription(world: World, pageUrl: string): Promise<void> {
  const [, gatewaySubscription = ''] = /\/subscriptions\/(sub_\w+)$/.exec(pageUrl) ?? [];
  if (!(await fetch(pageUrl)).ok) throw new Error('the subscription has no page');
  world.canaries.push({ name: 'gatewaySubscription', text: gatewaySubscription });
}

async function subscribe(world: World, token: string): Promise<void> {
  const body = { planId: 'starter', billingCycle: 'monthly' };
  const order = async () =>
    (JSON.parse((await world.call('createSubscription', { token, body })).body) as { data: Order }).data;
  const [first, second] = [await order(), await order()];
  const page = await checkoutPage(first.checkoutUrl).pay();
  await becomes(world, first.orderId, 'paid');
  if (page) await followSubscription(world, page.url);
  await checkoutPage(second.checkoutUrl).pay();
  await becomes(world, second.orderId, 'canceled');
  await world.call('getSubscription', { token });
}

export async function runSubscriptions(world: World, token: string): Promise<void> {
  await subscribe(world, token);
  await world.call('listOrders', { token });
  await world.call('listCreditHistory', { token });
  await world.command(['case', 'list', '--json']);
}
