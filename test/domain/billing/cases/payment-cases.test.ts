/** The cases of pack payments: when a report opens one, of which kind, and when its reason no longer applies. */
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
    'is the same for a payment that does not match its order, whatever happens to the order: %s',
    (kind) => {
      expect(caseIdOf({ ...finding, kind, cents: 7 })).toBe(idOf('order', 'unexpected', 'fake', '1'));
    },
  );
});

test('a full refund resolves every open case except one for used credits', () => {
  const ended = caseKinds.filter((kind) => isEndedByReturn({ ...recorded, kind }));
  expect(ended).toEqual(caseKinds.filter((kind) => kind !== 'used-credits'));
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
  ['no case is stored', [], 20, caseIdOf(finding)],
  ['the case is stored', [recorded], 20, undefined],
  ['the stored case is resolved and the report is later', [{ ...recorded, endedAt: 19 }], 20, caseIdOf(finding, 2)],
  ['the stored case is resolved and the report has the same time', [{ ...recorded, endedAt: 20 }], 20, undefined],
  ['the stored case is resolved and the report is earlier', [{ ...recorded, endedAt: 21 }], 20, undefined],
  ['the stored case is resolved and the report has no time', [{ ...recorded, endedAt: 1 }], undefined, undefined],
  ['the stored case has been reopened', [{ ...recorded, endedAt: 15 }, second], 40, undefined],
])('a payment report opens a case only if it reveals something new: %s', async ([, cases, changedAt, expected]) => {
  const reported = { currency: 'BRL', paymentId: '1', cents: 500, ...(changedAt !== undefined && { changedAt }) };
  expect(await unrecordedCase(storing(...cases), finding, reported)).toBe(expected);
});

const order = { orderId: 'order', gateway: 'fake' } as Parameters<typeof endedCases>[1];
const usedCredits: BillingCase = { ...recorded, kind: 'used-credits', caseId: 'order.used' };
const ofOther: BillingCase = { ...recorded, kind: 'second-payment', paymentId: '2', caseId: 'order.two' };

test.for<[string, Partial<PixPayment>, readonly BillingCase[], readonly string[], string]>([
  ['the payment was refunded', { status: 'refunded' }, [recorded, usedCredits, ofOther], ['1'], endings.returned],
  ['the payment was refunded before the case', { status: 'refunded', changedAt: 9 }, [recorded], [], ''],
  ['the payment was refunded when the case was opened', { status: 'refunded', changedAt: 10 }, [recorded], [], ''],
  ['the dispute was decided', {}, [recorded, ofOther], ['1'], endings.decided],
  ['a dispute is open again', {}, [{ ...recorded, endedAt: 15 }, second], [], ''],
  ['the second dispute was decided', { changedAt: 31 }, [{ ...recorded, endedAt: 15 }, second], ['2'], endings.decided],
  ['the dispute had been decided', {}, [{ ...recorded, endedAt: 15 }], [], ''],
  ['there is no dispute', {}, [ofOther], [], ''],
  ['the payment is still disputed', { status: 'disputed' }, [recorded], [], ''],
  ['the payment is pending', { status: 'pending' }, [recorded], [], ''],
])('a payment report resolves exactly the cases that it settles: %s', async ([, given, cases, nth, resolution]) => {
  const ended = await endedCases(storing(...cases), order, payment(given));
  const ids = nth.map((number) => caseIdOf(finding, Number(number)));
  expect(ended.map(({ found }) => found.caseId)).toEqual(ids);
  for (const one of ended) expect(one.resolution).toBe(resolution);
});

test('a payment without an order id resolves no case, and one whose order is not stored resolves its case only when refunded', async () => {
  const stray = payment({ status: 'refunded', orderId: undefined });
  const everything = { cases: { ...storing().cases, ofOrder: async () => [recorded] } };
  expect(await endedCases(everything, undefined, stray)).toEqual([]);
  expect(await endedCases(storing(recorded), undefined, payment({}))).toEqual([]);
  const [ended] = await endedCases(storing(recorded), undefined, payment({ status: 'refunded' }));
  expect(ended?.found).toEqual(recorded);
});
