/** The fake of Mercado Pago's API works with Mercado Pago's own SDK. */
import { MercadoPagoConfig, Payment } from 'mercadopago';
import { afterAll, expect, test } from 'vitest';
import { startMercadoPagoFake } from '../../../fakes/mercado-pago/mercado-pago-fake.ts';
import { systemClock, timestamp } from '../../../shared/platform/clock.ts';
import { testIds } from '../../support/test-table.ts';

const token = 'TEST-the-token';

const fake = await startMercadoPagoFake({ token, webhookSecret: 'the-webhook-secret' });
afterAll(() => fake.close());

test('the Mercado Pago fake works with Mercado Pago’s own client library', async () => {
  const real = globalThis.fetch;
  // The SDK has no setting for the API's base URL.
  globalThis.fetch = (input, init) =>
    real(
      (input instanceof Request ? input.url : input.toString()).replace('https://api.mercadopago.com', fake.url),
      init,
    );
  try {
    const client = new Payment(new MercadoPagoConfig({ accessToken: token }));
    const body = {
      transaction_amount: 14.9,
      payment_method_id: 'pix',
      external_reference: testIds.next(),
      notification_url: 'https://service.example/inbound',
      date_of_expiration: timestamp(systemClock.now() + 2_100_000).replace('Z', '+00:00'),
      payer: { email: 'ana@example.com' },
    };
    const made = await client.create({ body, requestOptions: { idempotencyKey: body.external_reference } });
    expect(made).toMatchObject({ status: 'pending', transaction_amount: 14.9, currency_id: 'BRL' });
    const id = String(made.id);
    expect((await client.get({ id })).external_reference).toBe(body.external_reference);
    expect((await client.cancel({ id })).status).toBe('cancelled');
    const found = await client.search({ options: { external_reference: body.external_reference } });
    expect(found.results?.map((one) => String(one.id))).toEqual([id]);
  } finally {
    globalThis.fetch = real;
  }
});
