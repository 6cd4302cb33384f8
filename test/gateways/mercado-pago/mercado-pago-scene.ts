/** A fake of Mercado Pago, the adapter to it, and the received notifications. */
import { afterAll, beforeAll } from 'vitest';
import { type MercadoPagoFake, startMercadoPagoFake } from '../../../fakes/mercado-pago/mercado-pago-fake.ts';
import { mercadoPagoGateway } from '../../../shared/gateways/mercado-pago/mercado-pago-gateway.ts';
import type { ChargeRequest, PaymentNotification, PixCharge } from '../../../shared/gateways/pix-gateway.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { type LocalServer, localServer } from '../../support/local-server.ts';
import { testIds } from '../../support/test-table.ts';

const token = 'TEST-the-token';
export const webhookSecret = 'the-webhook-secret';

export const request = (given: Partial<ChargeRequest> = {}): ChargeRequest => ({
  orderId: testIds.next(),
  cents: 5990,
  description: '500 credits',
  payer: { name: 'Ana Souza Lima', email: 'ana@example.com', taxId: { type: 'CPF', number: '52998224725' } },
  expiresAt: systemClock.now() + 35 * 60_000,
  ...given,
});

/** Starts the fake for the tests of a file. */
export function useMercadoPago() {
  let fake: MercadoPagoFake;
  let receiver: LocalServer;
  const notifications: PaymentNotification[] = [];

  beforeAll(async () => {
    fake = await startMercadoPagoFake({ token, webhookSecret });
    receiver = await localServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://receiver');
      notifications.push({
        headers: request.headers as Record<string, string>,
        query: Object.fromEntries(searchParams),
        body: '',
      });
      response.end();
    });
  });
  afterAll(() => Promise.all([fake.close(), receiver.close()]));

  const gatewayWith = (
    given: { url?: string; token?: string; stageName?: string; timeLimitMs?: number; now?: () => number } = {},
  ) =>
    mercadoPagoGateway({
      url: given.url ?? fake.url,
      stageName: () => given.stageName ?? 'test',
      token: async () => given.token ?? token,
      webhookSecret: async () => webhookSecret,
      notificationUrl: () => receiver.url,
      clock: given.now ? { now: given.now } : systemClock,
      // A time limit that a hundred concurrent payments never reach, even on a busy machine.
      timeLimitMs: given.timeLimitMs ?? 300_000,
    });

  async function charged(given?: Partial<ChargeRequest>): Promise<PixCharge> {
    const made = await gatewayWith().createCharge(request(given));
    if ('refusal' in made) throw new Error(made.refusal);
    return made;
  }
  return {
    get fake() {
      return fake;
    },
    get receiver() {
      return receiver;
    },
    notifications,
    gatewayWith,
    charged,
  };
}
