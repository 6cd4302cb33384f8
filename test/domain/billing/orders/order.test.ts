/** The effect of each reported payment state on an order in each of its states. */
import { expect, test } from 'vitest';
import { orderStatuses } from '../../../../shared/contracts/order-statuses.ts';
import { moveFor, type PackOrder } from '../../../../shared/domain/billing/orders/order.ts';
import type { PixPayment } from '../../../../shared/gateways/pix-gateway.ts';
import { testIds, testTime } from '../../../support/test-table.ts';

const order = (given: Partial<PackOrder> = {}): PackOrder => ({
  type: 'pix_credit_pack',
  orderId: testIds.next(),
  accountId: testIds.next(),
  status: 'pending',
  cents: 5990,
  credits: 500,
  packId: 'pack-500',
  packName: '500 credits',
  gateway: 'fake',
  chargeId: 'charge',
  qrCode: 'pix',
  qrCodeBase64: 'data:image/png;base64,AAAA',
  payableUntil: testTime,
  createdAt: testTime - 1000,
  ...given,
});

const payment = (status: PixPayment['status'], given: Partial<PixPayment> = {}): PixPayment => ({
  paymentId: 'charge',
  orderId: 'order',
  status,
  cents: 5990,
  currency: 'BRL',
  refundedCents: 0,
  createdAt: testTime - 1000,
  changedAt: testTime - 1000,
  ...given,
});

const paid = { paidBy: 'charge', paidAt: testTime } as const;
const move = (one: PackOrder, reported: PixPayment, now = testTime - 1) => moveFor(one, reported, now);
const flagged = (caseKind: string, cents = 5990) => ({ kind: 'case', caseKind, cents });

test.for(orderStatuses)('a pending payment does not change an order with the status %s', (status) => {
  expect(move(order({ status }), payment('pending'))).toBeUndefined();
});

test('a payment of the agreed amount settles an order that is pending or has expired', () => {
  for (const status of ['pending', 'expired'] as const)
    expect(move(order({ status }), payment('paid'))).toEqual({ kind: 'settle' });
});

test.for([
  ['of too low an amount', { cents: 5989 }],
  ['of too high an amount', { cents: 5991 }],
  ['in another currency', { currency: 'USD' }],
] as const)('a payment %s opens a case', ([, given]) => {
  const wrong = payment('paid', given);
  expect(move(order(), wrong)).toEqual(flagged('wrong-amount', wrong.cents));
});

test('the payment that settled an order changes nothing when it is reported again', () => {
  for (const status of ['paid', 'refunded'] as const)
    expect(move(order({ status, ...paid }), payment('paid'))).toBeUndefined();
});

test('a second payment of a paid order opens a case and adds no credits', () => {
  for (const status of ['paid', 'refunded'] as const)
    expect(move(order({ status, ...paid }), payment('paid', { paymentId: 'other' }))).toEqual(
      flagged('second-payment'),
    );
});

test('a payment of an order that was canceled or has failed opens a case', () => {
  for (const status of ['canceled', 'failed'] as const)
    expect(move(order({ status }), payment('paid'))).toEqual(flagged('payment-of-canceled-order'));
});

test('a refund reverses a paid order once', () => {
  expect(move(order({ status: 'paid', ...paid }), payment('refunded'))).toEqual({ kind: 'refund' });
  expect(move(order({ status: 'refunded', ...paid }), payment('refunded'))).toBeUndefined();
});

test('a refund of another payment does not change a paid order', () => {
  expect(move(order({ status: 'paid', ...paid }), payment('refunded', { paymentId: 'other' }))).toBeUndefined();
});

test('a refund reported before its payment closes the order without credits', () => {
  for (const status of ['pending', 'expired'] as const) {
    expect(move(order({ status }), payment('refunded'))).toEqual({ kind: 'skip' });
    expect(move(order({ status }), payment('refunded', { paymentId: 'other' }))).toBeUndefined();
  }
  for (const status of ['canceled', 'failed'] as const)
    expect(move(order({ status }), payment('refunded'))).toBeUndefined();
});

test('a refund of an amount other than the agreed one does not change a pending order', () => {
  expect(move(order(), payment('refunded', { cents: 1 }))).toBeUndefined();
  expect(move(order(), payment('refunded', { currency: 'USD' }))).toBeUndefined();
});

test('a dispute opens a case and changes no credits, unless the credits were already taken back', () => {
  for (const status of orderStatuses.filter((one) => one !== 'paid' && one !== 'refunded'))
    expect(move(order({ status }), payment('disputed'))).toEqual(flagged('disputed-payment'));
  expect(move(order({ status: 'paid', ...paid }), payment('disputed'))).toEqual(flagged('disputed-payment'));
  const refunded = order({ status: 'refunded', ...paid });
  expect(move(refunded, payment('disputed'))).toBeUndefined();
  expect(move(refunded, payment('disputed', { paymentId: 'other' }))).toEqual(flagged('disputed-payment'));
});

test('a partial refund opens a case for its amount', () => {
  const part = payment('paid', { refundedCents: 100 });
  expect(move(order({ status: 'paid', ...paid }), part)).toEqual(flagged('partial-refund', 100));
  expect(move(order({ status: 'refunded', ...paid }), part)).toBeUndefined();
});

test.for(['expired', 'canceled', 'failed'] as const)(
  'a charge that becomes %s closes its order if the order is pending',
  (status) => {
    expect(move(order(), payment(status))).toEqual({ kind: 'close', status });
    expect(move(order(), payment(status, { paymentId: 'other' }))).toBeUndefined();
    for (const ended of orderStatuses.filter((one) => one !== 'pending'))
      expect(move(order({ status: ended }), payment(status))).toBeUndefined();
  },
);

test('a charge canceled after its expiry is treated as expired', () => {
  expect(move(order(), payment('canceled'), testTime)).toEqual({ kind: 'close', status: 'expired' });
  expect(move(order(), payment('failed'), testTime)).toEqual({ kind: 'close', status: 'failed' });
});
