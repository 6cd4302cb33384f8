/** Credit packs: one is paid and returned, and one is not accepted. */
import { settingVariables } from '../../../shared/platform/settings.ts';
import { eventually } from '../../support/eventually.ts';
import type { World } from './world.ts';

interface Order {
  readonly id: string;
  readonly status: string;
  readonly pix: { readonly qrCode: string };
}

export async function runPurchases(world: World, token: string): Promise<void> {
  const { service, words } = world;
  const { payerName: name, payerEmail: email, payerTaxId: taxId } = words;
  const buy = (payer: object) =>
    world.call('createCreditOrder', { token, body: { packId: 'pack-100', payer: { name, email, taxId, ...payer } } });
  for (const wrong of [{ taxId: `${taxId}0` }, { email: `${email} ` }, { name: [name] }]) await buy(wrong);
  const { data } = JSON.parse((await buy({})).body) as { data: Order };

  const sandbox = service.environment[settingVariables.mercadoPagoUrl] ?? '';
  const { url } = await fetch(`${sandbox}/pay?code=${encodeURIComponent(data.pix.qrCode)}`);
  const becomes = (status: string) =>
    eventually(`an order that is ${status}`, async () => {
      const { body } = await world.call('getOrder', { token, id: data.id });
      return (JSON.parse(body) as { data: Order }).data.status === status ? true : undefined;
    });
  for (const [deed, status] of [
    ['pay', 'paid'],
    ['refund', 'refunded'],
  ] as const) {
    await fetch(url, { method: 'POST', body: new URLSearchParams({ deed, events: 'twice' }) });
    await becomes(status);
  }
  await world.call('listOrders', { token });
  await world.call('listCreditHistory', { token });
}
