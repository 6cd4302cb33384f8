/** The effects of each reported payment on its order, account, ledger and cases, on the real table. */
import { beforeEach, describe, expect, test } from 'vitest';
import { endings } from '../../../../shared/domain/billing/cases/billing-case.ts';
import { insertCase } from '../../../../shared/domain/billing/cases/case-store.ts';
import { newCase } from '../../../../shared/domain/billing/cases/payment-cases.ts';
import { applyPayment, recordCase } from '../../../../shared/domain/billing/orders/apply-payment.ts';
import type { PackOrder } from '../../../../shared/domain/billing/orders/order.ts';
import { accountKey } from '../../../../shared/domain/keys.ts';
import { type HostedStores, stores } from '../../../../shared/domain/stores.ts';
import type { PixPayment } from '../../../../shared/gateways/pix-gateway.ts';
import type { Table } from '../../../../shared/platform/dynamo-table.ts';
import { giveOrder } from '../../../support/given-order.ts';
import { type RecordedMetrics, recordedMetrics } from '../../../support/recorded-metrics.ts';
import { anAccount, tableInTests, testIds, testTime } from '../../../support/test-table.ts';

const clock = { now: () => testTime };
const logger = { info: () => undefined, warn: () => undefined };

let store: HostedStores;
let metrics: RecordedMetrics;
let accountId: string;

const host = await tableInTests();
beforeEach(async () => {
  [store, metrics] = [stores(host.table, clock), recordedMetrics()];
  const account = anAccount({ balance: 20 });
  await store.accounts.insert(account, undefined);
  ({ accountId } = account);
});

/** An order of 500 credits, and a payment for it. */
async function ordered(given: Partial<PackOrder> = {}) {
  const chargeId = testIds.next();
  const orderId = await giveOrder({ clock, ids: testIds, table: host.table }, accountId, { chargeId, ...given });
  const payment: PixPayment = {
    paymentId: chargeId,
    orderId,
    status: 'paid',
    cents: 5990,
    currency: 'BRL',
    refundedCents: 0,
    createdAt: testTime,
    changedAt: testTime,
  };
  return { orderId, payment };
}

const needs = (table: Table = host.table) => ({ ...store, table, clock, ids: testIds, logger, metrics });

const apply = async (payment: PixPayment, eventId?: string) =>
  (await applyPayment(needs(), payment, eventId)).moves.map(({ kind }) => kind);

/** The write that closes the account. */
const closed = (field: string) => ({
  Key: accountKey(accountId),
  UpdateExpression: 'SET #field = :value',
  ExpressionAttributeNames: { '#field': field },
  ExpressionAttributeValues: { ':value': field === 'closing' ? { at: testTime, eraseAt: testTime } : testTime },
});

const counted = () => metrics.recorded.map(([values]) => values);

async function standing(orderId: string) {
  const [account, rows, order, cases] = await Promise.all([
    store.accounts.find(accountId),
    store.ledger.list(accountId, { limit: 10, offset: 0 }),
    store.orders.findPack(orderId),
    store.cases.ofOrder(orderId),
  ]);
  return { balance: account?.balance, amounts: rows.map(({ amount, reason }) => [reason, amount]), order, cases };
}

describe('a payment', () => {
  test('made in time settles its order, adds the credits with a ledger row, and is counted once', async () => {
    const { orderId, payment } = await ordered();
    expect(await apply(payment)).toEqual(['settle']);
    expect(await apply(payment)).toEqual([]);
    const { order, ...found } = await standing(orderId);
    expect(order).toMatchObject({ status: 'paid', paidBy: payment.paymentId, paidAt: testTime });
    expect(order).not.toHaveProperty('isLate');
    expect(found).toEqual({ balance: 520, amounts: [['purchase', 500]], cases: [] });
    expect(counted()).toEqual([{ OrdersPaid: 1 }]);
  });

  test('that arrives after its order has expired still settles it and marks it as late', async () => {
    const { orderId, payment } = await ordered({ status: 'expired' });
    expect(await apply(payment)).toEqual(['settle']);
    expect((await standing(orderId)).order).toMatchObject({ status: 'paid', isLate: true });
  });

  test.for(['closing', 'erasedAt'])(
    'of an account with %s adds no credits, cancels the order and opens one case',
    async (field) => {
      const { orderId, payment } = await ordered();
      await host.table.update(closed(field));
      expect(await apply(payment)).toEqual(['close', 'case']);
      expect(await apply(payment)).toEqual([]);
      expect(await standing(orderId)).toMatchObject({
        balance: 20,
        amounts: [],
        order: { status: 'canceled' },
        cases: [{ kind: 'payment-of-canceled-order', accountId, paymentId: payment.paymentId, cents: 5990 }],
      });
    },
  );

  test('adds no credits to an account that is closed while the payment is being applied', async () => {
    const { orderId, payment } = await ordered();
    const transact: Table['transact'] = async (actions) => {
      await host.table.update(closed('closing'));
      return host.table.transact(actions);
    };
    await applyPayment(needs({ ...host.table, transact }), payment);
    expect(await standing(orderId)).toMatchObject({ balance: 20, order: { status: 'canceled' }, cases: [{}] });
  });

  test('for an unknown order or without an order changes nothing', async () => {
    const { orderId, payment } = await ordered();
    expect(await apply({ ...payment, orderId: testIds.next() })).toEqual([]);
    expect(await apply({ ...payment, orderId: undefined })).toEqual([]);
    expect(await standing(orderId)).toMatchObject({ balance: 20, order: { status: 'pending' } });
  });

  test.for([
    ['canceled', { canceledAt: testTime }],
    ['failed', { canceledAt: undefined }],
    ['expired', { canceledAt: undefined }],
  ] as const)('that is %s closes its order unpaid', async ([status, { canceledAt }]) => {
    const { orderId, payment } = await ordered();
    expect(await apply({ ...payment, status })).toEqual(['close']);
    const { order, balance } = await standing(orderId);
    expect({ status: order?.status, canceledAt: order?.canceledAt, balance }).toEqual({
      status,
      canceledAt,
      balance: 20,
    });
    expect(counted()).toEqual([]);
  });
});

describe('a refund', () => {
  /** An order whose payment is refunded while the account has the given balance. */
  async function refunded(left: number) {
    const { orderId, payment } = await ordered();
    await apply(payment);
    await host.table.transact([
      {
        Update: {
          Key: accountKey(accountId),
          UpdateExpression: 'SET balance = :left',
          ExpressionAttributeValues: { ':left': left },
        },
      },
    ]);
    expect(await apply({ ...payment, status: 'refunded', refundedCents: 5990 })).toEqual(['refund']);
    expect((await standing(orderId)).order).toMatchObject({ status: 'refunded', refundedAt: testTime });
    expect(counted().filter((values) => !('BillingCases' in values))).toEqual([
      { OrdersPaid: 1 },
      { OrdersRefunded: 1 },
    ]);
    return standing(orderId);
  }

  test.for([
    [520, 20],
    [500, 0],
  ] as const)(
    'takes all credits of the order back from a balance of %i, leaves %i and opens no case',
    async ([left, rest]) => {
      const { balance, amounts, cases } = await refunded(left);
      expect({ balance, cases }).toEqual({ balance: rest, cases: [] });
      expect(amounts).toEqual([
        ['refund', -500],
        ['purchase', 500],
      ]);
    },
  );

  test('takes back the credits that are left and opens a case for those already spent', async () => {
    const { balance, amounts, cases } = await refunded(120);
    expect(balance).toBe(0);
    expect(amounts[0]).toEqual(['refund', -120]);
    expect(cases).toMatchObject([{ kind: 'used-credits', missingCredits: 380, accountId }]);
  });

  test('adds no ledger row when all credits have been used', async () => {
    const { balance, amounts, cases } = await refunded(0);
    expect(balance).toBe(0);
    expect(amounts).toEqual([['purchase', 500]]);
    expect(cases).toMatchObject([{ kind: 'used-credits', missingCredits: 500 }]);
  });

  test('takes its credits back and resolves all cases of its payment, even if there are hundreds', async () => {
    const { orderId, payment } = await ordered();
    await apply(payment);
    const parts = Array.from({ length: 150 }, (_, index) => {
      const finding = { kind: 'partial-refund', orderId, gateway: 'fake', paymentId: payment.paymentId } as const;
      return insertCase(newCase({ ...finding, cents: index + 1 }, { accountId }, payment, { at: testTime }));
    });
    for (const some of [parts.slice(0, 100), parts.slice(100)]) await host.table.transact(some);
    const whole = { status: 'refunded', refundedCents: 5990, changedAt: testTime + 1 } as const;
    expect(await apply({ ...payment, ...whole }, 'event')).toEqual(['refund']);
    const { balance, order, cases } = await standing(orderId);
    expect([balance, order?.status, cases.length]).toEqual([20, 'refunded', 150]);
    expect(new Set(cases.map(({ resolution }) => resolution))).toEqual(new Set([endings.returned]));
  });

  test('for a payment that has not been credited closes its order without credits', async () => {
    const { orderId, payment } = await ordered();
    expect(await apply({ ...payment, status: 'refunded', refundedCents: 5990 })).toEqual(['skip']);
    const { order, ...found } = await standing(orderId);
    const times = { paidBy: payment.paymentId, paidAt: testTime, refundedAt: testTime };
    expect(order).toMatchObject({ status: 'refunded', ...times });
    expect(found).toEqual({ balance: 20, amounts: [], cases: [] });
    expect(counted()).toEqual([{ OrdersRefunded: 1 }]);
  });
});

describe('a payment event', () => {
  test('has no effect when it is repeated, even if its payment has changed in the meantime', async () => {
    const { orderId, payment } = await ordered();
    expect(await apply(payment, 'event')).toEqual(['settle']);
    const other = { ...payment, paymentId: testIds.next() };
    expect(await apply({ ...payment, status: 'refunded', refundedCents: 5990 }, 'event')).toEqual([]);
    expect(await apply(other, 'event')).toEqual(['case']);
    expect(await standing(orderId)).toMatchObject({ balance: 520, cases: [{ kind: 'second-payment' }] });
  });
});

test('applying a payment throws and writes nothing when its order changes during each of eight attempts', async () => {
  const { orderId, payment } = await ordered();
  let attempts = 0;
  const never = { Key: accountKey('unknown'), ConditionExpression: 'attribute_exists(pk)' };
  const transact: Table['transact'] = (actions) => {
    attempts += 1;
    return host.table.transact([...actions, { ConditionCheck: never }]);
  };
  const applied = applyPayment(needs({ ...host.table, transact }), payment);
  await expect(applied).rejects.toThrow(`order ${orderId} keeps changing`);
  expect(attempts).toBe(8);
  expect(await standing(orderId)).toMatchObject({ balance: 20, amounts: [], order: { status: 'pending' } });
});

test('recording a billing case a second time has no effect', async () => {
  const { orderId, payment } = await ordered();
  const order = await store.orders.findPack(orderId);
  if (!order) throw new Error('the order is missing');
  expect(await recordCase(needs(), 'disputed-payment', order, payment)).toBe(true);
  expect(await recordCase(needs(), 'disputed-payment', order, payment)).toBe(false);
  expect((await standing(orderId)).cases).toMatchObject([{ kind: 'disputed-payment', accountId, cents: 5990 }]);
});
