/** Which of the charges that Mercado Pago reports are accepted. */
import { expect, test } from 'vitest';
import { pixCodeLimits } from '../../../shared/contracts/pix-code-limits.ts';
import { chargeIn, paymentIn, paymentsIn } from '../../../shared/gateways/mercado-pago/mercado-pago-payment.ts';
import { referenceOf } from '../../../shared/gateways/order-reference.ts';
import { timeOfId } from '../../../shared/platform/ids.ts';
import { testTime } from '../../support/test-table.ts';

const pngLimit = pixCodeLimits.qrCodeBase64 - 'data:image/png;base64,'.length;

const orderId = '0193a5c4-a0c4-7b3e-8d21-4e5f60718293';
const payment = {
  id: 17,
  status: 'approved',
  external_reference: referenceOf(orderId, 'test'),
  transaction_amount: 14.9,
  currency_id: 'BRL',
  date_created: '2026-11-21T12:00:00.000-03:00',
  date_last_updated: '2026-11-21T12:01:00.000-03:00',
};
const reader = { stageName: 'test', now: testTime };

test('a Mercado Pago payment with impossible times is read with the time of its order instead', () => {
  for (const wrong of ['', 'yesterday', '1970-01-01T00:00:00Z', '+275760-01-01T00:00:00Z']) {
    const read = paymentIn({ ...payment, date_created: wrong, date_last_updated: wrong }, reader);
    expect(read).toMatchObject({ status: 'paid', createdAt: timeOfId(orderId), changedAt: timeOfId(orderId) });
  }
});

test.for([-0.01, 1e11, 1e308])('a Mercado Pago payment with an impossible amount is unreadable: %d', (amount) => {
  expect(() => paymentIn({ ...payment, transaction_amount: amount }, reader)).toThrow('transaction_amount');
  expect(() => paymentIn({ ...payment, transaction_amount_refunded: amount }, reader)).toThrow('refunded');
});

test('a Mercado Pago payment is read with its currency, or with XXX (no currency) if it has no valid code', () => {
  for (const [currency_id, currency] of [
    ['BRL', 'BRL'],
    ['ars', 'ARS'],
    ...['', 'R$', 'BRL ', '\ud800', 'B'.repeat(1e5)].map((wrong) => [wrong, 'XXX']),
  ])
    expect(paymentIn({ ...payment, currency_id }, reader)).toMatchObject({ status: 'paid', cents: 1490, currency });
});

test('a search at Mercado Pago finds a readable payment beside those of the service that have no valid id or time', () => {
  const strange = { toString: 1 };
  const wrong = [-1, 1.5, 1e300, '\ud800', '7'.repeat(300), null, strange].map((id) => ({ ...payment, id }));
  const results = [...wrong, payment, { ...payment, id: 18, date_last_updated: strange }];
  const { own, lastChangeAt } = paymentsIn({ results }, reader);
  const unreadable = (subject: string) => ({ subject, error: expect.any(Error) });
  expect(own).toEqual([
    ...wrong.map(() => unreadable('unknown')),
    expect.objectContaining({ paymentId: '17', status: 'paid' }),
    unreadable('18'),
  ]);
  expect(lastChangeAt).toBeUndefined();
});

test('a search at Mercado Pago does not continue from a time in the future', () => {
  const lastAt = (ms: number) =>
    paymentsIn({ results: [{ ...payment, date_last_updated: new Date(testTime + ms).toISOString() }] }, reader);
  expect(lastAt(60_000).lastChangeAt).toBe(testTime + 60_000);
  expect(lastAt(3_600_000).lastChangeAt).toBeUndefined();
});

const charge = (qrCode: string, png: string) =>
  chargeIn(
    {
      id: 17,
      status: 'pending',
      transaction_amount: 14.9,
      currency_id: 'BRL',
      date_created: '2026-11-21T12:00:00.000-03:00',
      date_last_updated: '2026-11-21T12:00:00.000-03:00',
      point_of_interaction: {
        transaction_data: { qr_code: qrCode, qr_code_base64: png },
      },
    },
    { stageName: 'test', now: testTime },
  );

const chargeWith = (textLength: number, pngLength: number) => charge('0'.repeat(textLength), 'A'.repeat(pngLength));

test.for([
  ['a control character', '0002\u00000126', 'AAAA'],
  ['a character that reverses its direction', '0002\u202E0126', 'AAAA'],
  ['an image that is not base64', '00020126', '"><script>'],
] as const)('a Mercado Pago response whose PIX code has %s is an error', ([, qrCode, png]) => {
  expect(() => charge(qrCode, png)).toThrow('a PIX code that cannot be shown');
});

test('a PIX code from Mercado Pago is accepted up to the lengths that the contract publishes', () => {
  const { qrCode, qrCodeBase64 } = chargeWith(pixCodeLimits.qrCode, pngLimit);
  expect([qrCode.length, qrCodeBase64.length]).toEqual([1024, 200_000]);
});

test.for([
  ['text', pixCodeLimits.qrCode + 1, pngLimit],
  ['image', pixCodeLimits.qrCode, pngLimit + 1],
] as const)('a PIX code from Mercado Pago whose %s exceeds the limit is an error', ([, textLength, pngLength]) => {
  expect(() => chargeWith(textLength, pngLength)).toThrow('a PIX code that is too long');
});
