/** Credit orders of one account, and changes of their payments at the gateway. */
import type { MercadoPagoFake } from '../../fakes/mercado-pago/mercado-pago-fake.ts';
import { referenceOf } from '../../shared/gateways/order-reference.ts';
import type { TestAccount, TestService } from '../support/test-service.ts';

export interface Order {
  readonly id: string;
  readonly status: string;
  readonly paidAt: string | null;
  readonly pix: { readonly qrCode: string; readonly qrCodeBase64: string; readonly expiresAt: string };
}

export function creditOrderScene(host: TestService, { accountId, token }: TestAccount) {
  const gateway = host.service.payments;
  const chargeOf = (orderId: string): number =>
    gateway.payments().find((payment) => payment.external_reference === referenceOf(orderId, 'local'))?.id ?? 0;
  const buy = (body: object = { packId: 'pack-100' }, headers: Record<string, string> = {}) =>
    host.call('createCreditOrder', { token, body, headers });
  return {
    chargeOf,
    buy,
    async order(body?: object): Promise<Order> {
      const response = await buy(body);
      if (response.status !== 201) throw new Error(`no order was created: ${response.text}`);
      return response.body.data as Order;
    },
    balance: async () => (await host.standing(accountId)).balance,
    read: async (orderId: string) => (await host.call('getOrder', { token, params: { orderId } })).body.data as Order,
    openCases: async (orderId: string) =>
      (await host.service.context.cases.list({ onlyOpen: true }))
        .filter((one) => one.orderId === orderId)
        .map(({ kind }) => kind),
    /** Changes the payment, and waits for the events of this change and of earlier ones. */
    async change(orderId: string, ...changes: Parameters<MercadoPagoFake['do']>[1][]): Promise<void> {
      await gateway.sent();
      for (const change of changes) {
        gateway.do(chargeOf(orderId), change);
        await gateway.sent();
      }
    },
  };
}
