/** The adapter to Mercado Pago with a fake of its API: charges and payments. */
import { describe, expect, test } from 'vitest';
import { referenceOf } from '../../../shared/gateways/order-reference.ts';
import type { PixGateway } from '../../../shared/gateways/pix-gateway.ts';
import { systemClock, timestamp } from '../../../shared/platform/clock.ts';
import { localServer } from '../../support/local-server.ts';
import { testIds } from '../../support/test-table.ts';
import { request, useMercadoPago } from './mercado-pago-scene.ts';

const mercadoPago = useMercadoPago();
const { charged, gatewayWith } = mercadoPago;

const changedIds = async (gateway: PixGateway, ...range: Parameters<PixGateway['changedSince']>) =>
  (await Array.fromAsync(gateway.changedSince(...range))).map((one) => ('error' in one ? one.subject : one.paymentId));

describe('a Mercado Pago charge', () => {
  test('is requested as documented, with the order’s id as reference and idempotency key', async () => {
    const asked = request();
    const made = await gatewayWith().createCharge(asked);
    expect(made).toMatchObject({
      payment: { orderId: asked.orderId, status: 'pending', cents: 5990, currency: 'BRL', refundedCents: 0 },
      qrCode: expect.stringMatching(/^000201/),
      qrCodeBase64: expect.stringMatching(/^data:image\/png;base64,iVBOR/),
    });
    expect(mercadoPago.fake.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: '/v1/payments',
      headers: { 'x-idempotency-key': asked.orderId, 'content-type': 'application/json' },
      body: {
        transaction_amount: 59.9,
        payment_method_id: 'pix',
        external_reference: referenceOf(asked.orderId, 'test'),
        notification_url: mercadoPago.receiver.url,
        date_of_expiration: timestamp(asked.expiresAt).replace('Z', '+00:00'),
        payer: {
          email: 'ana@example.com',
          first_name: 'Ana',
          last_name: 'Souza Lima',
          identification: { type: 'CPF', number: '52998224725' },
        },
      },
    });
  });

  test('is created once, however often the same order is charged, even if a response was lost', async () => {
    const asked = request();
    mercadoPago.fake.outcomes.push('lost');
    await expect(gatewayWith().createCharge(asked)).rejects.toThrow();
    const repeated = await Promise.all([gatewayWith().createCharge(asked), gatewayWith().createCharge(asked)]);
    const made = mercadoPago.fake
      .payments()
      .filter((payment) => payment.external_reference === referenceOf(asked.orderId, 'test'));
    expect(made).toHaveLength(1);
    expect(repeated.map((one) => 'payment' in one && one.payment.paymentId)).toEqual(
      made.flatMap(({ id }) => [String(id), String(id)]),
    );
  });

  test('that is refused causes an error with only documented codes and never the payer', async () => {
    const taxId = { type: 'CPF', number: '52998224726' } as const;
    const refused = await gatewayWith().createCharge(
      request({ payer: { name: 'Ana', email: 'ana@example.com', taxId } }),
    );
    expect(refused).toEqual({
      refusal: 'Mercado Pago refused the charge with 400, 2067',
      invalidField: 'payer.taxId',
    });
    const unauthorized = await gatewayWith({ token: 'another' }).createCharge(request());
    expect(unauthorized).toEqual({ refusal: 'Mercado Pago refused the charge with 401, 7' });
  });

  test('is refused if it would expire in less than half an hour', async () => {
    const refused = await gatewayWith().createCharge(request({ expiresAt: systemClock.now() + 29 * 60_000 }));
    expect(refused).toEqual({ refusal: 'Mercado Pago refused the charge with 400, 23' });
  });

  test.for([500, 503, 409, 423, 'down', 'page'] as const)(
    'with an unknown outcome (%s) is an error',
    async (outcome) => {
      mercadoPago.fake.outcomes.push(outcome);
      await expect(gatewayWith().createCharge(request())).rejects.toThrow();
    },
  );
});

describe('a Mercado Pago payment', () => {
  test.for([
    ['pay', { status: 'paid', cents: 5990, refundedCents: 0 }],
    ['pay-wrong-amount', { status: 'paid', cents: 1 }],
    ['expire', { status: 'expired' }],
  ] as const)('has the matching status after the action “%s”', async ([action, expected]) => {
    const { payment } = await charged();
    mercadoPago.fake.do(Number(payment.paymentId), action);
    expect(await gatewayWith().read(payment.paymentId)).toMatchObject({ ...expected, orderId: payment.orderId });
  });

  test.for([
    ['refund', { status: 'refunded', refundedCents: 5990 }],
    ['refund-part', { status: 'paid', refundedCents: 100 }],
    ['charge-back', { status: 'refunded' }],
    ['dispute', { status: 'disputed' }],
  ] as const)('that was paid has the matching status after the action “%s”', async ([action, expected]) => {
    const { payment } = await charged();
    mercadoPago.fake.do(Number(payment.paymentId), 'pay');
    mercadoPago.fake.do(Number(payment.paymentId), action);
    expect(await gatewayWith().read(payment.paymentId)).toMatchObject(expected);
  });

  test('can be canceled while it is open, but stays paid once it is paid', async () => {
    const [{ payment: open }, { payment: paid }] = [await charged(), await charged()];
    mercadoPago.fake.do(Number(paid.paymentId), 'pay');
    for (const { paymentId } of [open, paid]) await gatewayWith().cancel(paymentId);
    expect((await gatewayWith().read(open.paymentId))?.status).toBe('canceled');
    expect((await gatewayWith().read(paid.paymentId))?.status).toBe('paid');
  });

  test('that does not exist is not found', async () => {
    expect(await gatewayWith().read('1')).toBeUndefined();
    // What a search has found without a valid id is not asked for.
    expect(await gatewayWith({ url: 'http://127.0.0.1:1' }).read('unknown')).toBeUndefined();
    await gatewayWith().cancel('1');
  });

  test('that another system of the same seller created belongs to no order', async () => {
    const { payment } = await charged({ orderId: 'invoice 7' });
    expect((await gatewayWith().read(payment.paymentId))?.orderId).toBeUndefined();
  });

  test('of another stage belongs to no order, and is not found by a search for changed payments', async () => {
    const at = systemClock.now();
    const [own, { payment }] = [await charged(), await charged()];
    const other = gatewayWith({ stageName: 'another' });
    expect(await other.read(payment.paymentId)).toMatchObject({ orderId: undefined });
    const found = (gateway: PixGateway) => changedIds(gateway, at);
    expect(await found(gatewayWith())).toEqual(expect.arrayContaining([own.payment.paymentId, payment.paymentId]));
    expect(await found(other)).toEqual([]);
  });

  test('has a reference that names the service and the stage and has at most 64 characters', () => {
    const reference = referenceOf(testIds.next(), 'a'.repeat(20));
    expect(reference).toMatch(/^generation_a{20}_[0-9a-f]{32}$/);
    expect(reference.length).toBeLessThanOrEqual(64);
  });

  test.for([
    ['in_process', 'disputed'],
    ['settled', 'refunded'],
    ['reimbursed', 'paid'],
  ] as const)('with a chargeback has the status of the decision: %s means %s', async ([detail, status]) => {
    const { payment } = await charged();
    const raw = mercadoPago.fake.payments().find(({ id }) => String(id) === payment.paymentId);
    const body = JSON.stringify({ ...raw, status: 'charged_back', status_detail: detail });
    const reader = await localServer((_request, response) => void response.end(body));
    expect(await gatewayWith({ url: reader.url }).read(payment.paymentId)).toMatchObject({ status });
    await reader.close();
  });

  test('that is unreadable is reported by its id, and does not hide other changed payments', async () => {
    const { payment } = await charged();
    const raw = mercadoPago.fake.payments().find(({ id }) => String(id) === payment.paymentId);
    const results = [
      { id: 1, external_reference: 'invoice 7', status: null },
      { id: 2, external_reference: testIds.next(), status: 'pending' },
      null,
      { ...raw, id: 3, status: 'of the future' },
      { ...raw, id: 4, transaction_amount: null },
      raw,
    ];
    const search = await localServer((_request, response) => void response.end(JSON.stringify({ results })));
    const found = await Array.fromAsync(gatewayWith({ url: search.url }).changedSince(0));
    await search.close();
    expect(found).toEqual([
      { subject: '3', error: expect.any(Error) },
      { subject: '4', error: expect.any(Error) },
      expect.objectContaining({ paymentId: payment.paymentId, orderId: payment.orderId }),
    ]);
  });

  test('is not found in a page that has more payments than were requested', async () => {
    const body = JSON.stringify({ results: Array.from({ length: 101 }, () => 0) });
    const search = await localServer((_request, response) => void response.end(body));
    const found = Array.fromAsync(gatewayWith({ url: search.url }).changedSince(0));
    await expect(found).rejects.toThrow('results (too_big)');
    await search.close();
  });

  test('is found by a search for changed payments, even over many pages', async () => {
    const at = systemClock.now();
    const made = await Promise.all(Array.from({ length: 101 }, () => charged()));
    const ids = await changedIds(gatewayWith(), at);
    expect(ids).toEqual(expect.arrayContaining(made.map(({ payment }) => payment.paymentId)));
    expect(await changedIds(gatewayWith(), systemClock.now() + 60_000)).toEqual([]);
  });

  test('is found by a search within its period, and only while the search’s time budget lasts', async () => {
    const at = systemClock.now();
    const { payment } = await charged();
    const later = systemClock.now() + 60_000;
    expect(await changedIds(gatewayWith(), at, later)).toContain(payment.paymentId);
    expect(await changedIds(gatewayWith(), at - 60_000, at - 1)).not.toContain(payment.paymentId);
    expect(await changedIds(gatewayWith(), at, later, () => true)).toEqual([]);
  });
});
