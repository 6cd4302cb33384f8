/**
 * The cases of payments for credit packs: when a report opens one, of which kind, and when it needs no decision any
 * more.
 */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  type BillingCase,
  caseIdOf,
  caseKinds,
  endings,
  isEndedByReturn,
} from '../../../../shared/domain/billing/cases/billing-case.ts';
import { endedCases, newCase, unrecordedCase } from '../../../../shared/domain/billing/cases/payment-cases.ts';
import type { PixPayment } from '../../../../shared/gateways/pix-gateway.ts';

const finding = { kind: 'disputed-payment', orderId: 'order', gateway: 'fake', paymentId: '1', cents: 500 } as const;
const recorded: BillingCase = { ...finding, caseId: caseIdOf(finding), currency: 'BRL', createdAt: 1, reportedAt: 10 };
const second: BillingCase = { ...recorded, caseId: caseIdOf(finding, 2), reportedAt: 30 };

const storing = (...cases: readonly BillingCase[]) => ({
  cases: {
    find: async (caseId: string) => cases.find((one) => one.caseId === caseId),
    ofOrder: async (orderId: string) => cases.filter((one) => one.orderId === orderId),
    list: async () => [],
  },
});

const payment = (given: Partial<PixPayment>): PixPayment => ({
  paymentId: '1',
  orderId: 'order',
  status: 'paid',
  cents: 500,
  currency: 'BRL',
  refundedCents: 0,
  createdAt: 1,
  changedAt: 20,
  ...given,
});

describe('the id of a billing case', () => {
  const idOf = (orderId: string, ...words: readonly string[]): string =>
    `${orderId}.${createHash('sha256').update(words.join('\n')).digest('hex').slice(0, 16)}`;

  test('is the same for the same reason and payment, and new when the reason recurs', () => {
    expect(caseIdOf(finding)).toBe(idOf('order', 'disputed-payment', 'fake', '1', '500'));
    expect(caseIdOf(finding, 2)).toBe(idOf('order', 'disputed-payment', 'fake', '1', '500', '2'));
  });

  test.for(['second-payment', 'wrong-amount', 'payment-of-canceled-order', 'payment-without-order'] as const)(
    'is the same for a payment that does not match its order, whatever happens to the order (%s)',
    (kind) => {
      expect(caseIdOf({ ...finding, kind, cents: 7 })).toBe(idOf('order', 'unexpected', 'fake', '1'));
    },
  );
});

test('a full refund resolves every open case except those about credits that operators must collect', () => {
  const ended = caseKinds.filter((kind) => isEndedByReturn({ ...recorded, kind }));
  expect(ended).toEqual(caseKinds.filter((kind) => kind !== 'used-credits' && kind !== 'returned-again'));
  expect(isEndedByReturn({ ...recorded, endedAt: 5 })).toBe(false);
});

test('a case contains what is known about its payment and nothing else', () => {
  const about = { currency: 'USD', paymentId: '1', cents: 500 };
  const caseId = caseIdOf(finding);
  expect(newCase(finding, {}, about, { at: 3 })).toStrictEqual({ ...finding, caseId, currency: 'USD', createdAt: 3 });
  const known = { accountId: 'account' };
  const given = { at: 3, caseId: 'order.other', missingCredits: 0 };
  expect(newCase(finding, known, { ...about, changedAt: 2 }, given)).toStrictEqual({
    ...finding,
    ...known,
    caseId: 'order.other',
    currency: 'USD',
    missingCredits: 0,
    createdAt: 3,
    reportedAt: 2,
  });
});

test.for<[string, readonly BillingCase[], number | undefined, string | undefined]>([
  ['opens a case if none is stored', [], 20, caseIdOf(finding)],
  ['opens no second case while the first is open', [recorded], 20, undefined],
  [
    'made after the first case was resolved opens a second one',
    [{ ...recorded, endedAt: 19 }],
    20,
    caseIdOf(finding, 2),
  ],
  ['made at the moment when the case was resolved opens no other', [{ ...recorded, endedAt: 20 }], 20, undefined],
  ['made before the case was resolved opens no other', [{ ...recorded, endedAt: 21 }], 20, undefined],
  [
    'without a time opens no other case once the first is resolved',
    [{ ...recorded, endedAt: 1 }],
    undefined,
    undefined,
  ],
  ['opens no third case while the second is open', [{ ...recorded, endedAt: 15 }, second], 40, undefined],
])('a payment report %s', async ([, cases, changedAt, expected]) => {
  const reported = { currency: 'BRL', paymentId: '1', cents: 500, ...(changedAt !== undefined && { changedAt }) };
  expect(await unrecordedCase(storing(...cases), finding, reported)).toBe(expected);
});

const order = { orderId: 'order', gateway: 'fake' } as Parameters<typeof endedCases>[1];
const usedCredits: BillingCase = { ...recorded, kind: 'used-credits', caseId: 'order.used' };
const ofOther: BillingCase = { ...recorded, kind: 'second-payment', paymentId: '2', caseId: 'order.two' };

test.for<[string, Partial<PixPayment>, readonly BillingCase[], readonly string[], string]>([
  [
    'of a refund resolves the open cases of that payment except used credits',
    { status: 'refunded' },
    [recorded, usedCredits, ofOther],
    ['1'],
    endings.returned,
  ],
  ['of a refund before the case was opened resolves nothing', { status: 'refunded', changedAt: 9 }, [recorded], [], ''],
  [
    'of a refund at the moment when the case was opened resolves nothing',
    { status: 'refunded', changedAt: 10 },
    [recorded],
    [],
    '',
  ],
  ['of a decided dispute resolves its case', {}, [recorded, ofOther], ['1'], endings.decided],
  [
    'made before a dispute was reopened does not resolve its second case',
    {},
    [{ ...recorded, endedAt: 15 }, second],
    [],
    '',
  ],
  [
    'of a decided second dispute resolves the second case',
    { changedAt: 31 },
    [{ ...recorded, endedAt: 15 }, second],
    ['2'],
    endings.decided,
  ],
  ['of a decided dispute does not resolve its case again', {}, [{ ...recorded, endedAt: 15 }], [], ''],
  ['of another payment resolves nothing', {}, [ofOther], [], ''],
  ['of a dispute that is still open resolves nothing', { status: 'disputed' }, [recorded], [], ''],
  ['of a pending payment resolves nothing', { status: 'pending' }, [recorded], [], ''],
])('a payment report %s', async ([, given, cases, nth, resolution]) => {
  const ended = await endedCases(storing(...cases), order, payment(given));
  const ids = nth.map((number) => caseIdOf(finding, Number(number)));
  expect(ended.map(({ found }) => found.caseId)).toEqual(ids);
  for (const one of ended) expect(one.resolution).toBe(resolution);
});

test('a payment without an order id resolves no case, and one for an order that is not stored does so only when refunded', async () => {
  const stray = payment({ status: 'refunded', orderId: undefined });
  const everything = { cases: { ...storing().cases, ofOrder: async () => [recorded] } };
  expect(await endedCases(everything, undefined, stray)).toEqual([]);
  expect(await endedCases(storing(recorded), undefined, payment({}))).toEqual([]);
  const [ended] = await endedCases(storing(recorded), undefined, payment({ status: 'refunded' }));
  expect(ended?.found).toEqual(recorded);
});
