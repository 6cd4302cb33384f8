/** The cases of subscriptions: when a report opens one, and when it needs no decision any more. */
import { describe, expect, test } from 'vitest';
import { insertCase } from '../../../../shared/domain/billing/cases/case-store.ts';
import { resolveCase } from '../../../../shared/domain/billing/cases/open-cases.ts';
import { caseOf } from '../../../../shared/domain/billing/cases/subscription-cases.ts';
import { applyReport } from '../../../../shared/domain/billing/subscriptions/apply-report.ts';
import type { PaidInvoice } from '../../../../shared/gateways/subscription-gateway.ts';
import { tableInTests, testIds } from '../../../support/test-table.ts';
import { appliedSubscriptions, credits } from '../applied-subscriptions.ts';
import { dayMs, invoice, monthEnd, renewal, report, returned, start } from '../subscription-scene.ts';

const host = await tableInTests();

const resolutionOf = (reason: string) => `Resolved by the service: ${reason}.`;
const wholeReturned = resolutionOf('the whole payment was returned');

/** The open cases of a subscription after several reports with different invoices. */
async function reported(...each: readonly (readonly PaidInvoice[])[]) {
  const made = await appliedSubscriptions(host.table, {});
  // Cases are identified by their payments alone.
  const name = testIds.next();
  const own = (invoices: readonly PaidInvoice[]) =>
    invoices.map((one) => ({ ...one, invoiceId: `${one.invoiceId} ${name}` }));
  const now = (invoices: readonly PaidInvoice[]) => made.paid({ invoices: own(invoices) });
  for (const invoices of each) await now(invoices);
  const kinds = async () =>
    (await made.cases()).map(({ kind, paymentId }) => `${kind} ${paymentId.split(' ')[0]}`).toSorted();
  const resolutions = async () => (await made.allCases()).map(({ kind, resolution }) => [kind, resolution]);
  return { ...made, own, now, kinds, resolutions };
}

describe('the refund of a whole payment', () => {
  test('resolves the cases of its partial refunds and states why', async () => {
    const part = (refundedCents: number) => [invoice({ refundedCents })];
    const { kinds, now, resolutions } = await reported([invoice()], part(100), part(300));
    expect(await kinds()).toEqual(['partial-refund in_1', 'partial-refund in_1']);
    await now([returned(invoice())]);
    expect([await kinds(), await resolutions()]).toEqual([
      [],
      [
        ['partial-refund', wholeReturned],
        ['partial-refund', wholeReturned],
      ],
    ]);
  });

  test.for<[string, string, PaidInvoice[]]>([
    ['renewal of a wrong amount', 'wrong-amount', [invoice(), renewal({ cents: 1 })]],
    ['second payment of a period', 'second-payment', [invoice(), renewal({ periodStart: start, periodEnd: monthEnd })]],
    ['first payment of a wrong amount', 'wrong-amount', [invoice({ cents: 1 })]],
  ])('resolves the case of a %s, which was not credited', async ([, kind, invoices]) => {
    const { kinds, now, resolutions } = await reported(invoices.slice(0, -1), invoices);
    expect(await kinds()).toEqual([`${kind} ${invoices.at(-1)?.invoiceId}`]);
    await now([...invoices.slice(0, -1), ...invoices.slice(-1).map(returned)]);
    expect([await kinds(), await resolutions()]).toEqual([[], [[kind, wholeReturned]]]);
  });

  test('takes its credits back and resolves the cases of all its partial refunds, even if there are hundreds', async () => {
    const { allCases, cases, own, now, rows, states } = await reported([invoice()]);
    const [paid] = own([invoice()]);
    const parts = Array.from({ length: 150 }, (_, index) =>
      insertCase(caseOf('partial-refund', states[0], paid ?? invoice(), { cents: index + 1, at: start })),
    );
    for (const some of [parts.slice(0, 100), parts.slice(100)]) await host.table.transact(some);
    const { moves } = await now([returned(invoice())]);
    expect(moves.map(({ kind }) => kind)).toEqual(['refund']);
    expect(await rows()).toEqual([['refund', -2000], credits]);
    expect([(await allCases()).length, await cases()]).toEqual([150, []]);
  });

  test('that failed at the bank does not hide a later partial refund of the same amount, or stop what follows it', async () => {
    const part = [invoice({ refundedCents: 100 })];
    const { at, kinds, now, rows } = await reported([invoice()], part, [returned(invoice())], [invoice()]);
    await now(part);
    expect(await kinds()).toEqual(['partial-refund in_1', 'payment-after-refund in_1']);
    at(monthEnd);
    await now([...part, renewal()]);
    expect(await rows()).toEqual([credits, ['refund', -2000], credits]);
  });

  test.for([
    [
      'opens a case if an operator had decided about its credits when it was paid after all',
      true,
      ['returned-again in_1'],
    ],
    ['opens no case if no operator had decided about its credits when it was paid after all', false, []],
  ] as const)('%s', async ([, isDecided, expected]) => {
    const { cases, kinds, now, rows } = await reported([invoice()], [returned(invoice())], [invoice()]);
    const [won] = await cases();
    if (isDecided) await resolveCase(host.table, won?.caseId ?? '', { resolution: 'granted', resolvedAt: start });
    for (let times = 0; times < 2; times += 1) await now([returned(invoice())]);
    expect([await kinds(), await rows()]).toEqual([expected, [['refund', -2000], credits]]);
  });

  test('does not resolve the case about credits that were already spent, or change cases that operators have resolved', async () => {
    const { cases, kinds, now, resolutions, spend } = await reported([invoice()], [invoice({ refundedCents: 100 })]);
    const [found] = await cases();
    await resolveCase(host.table, found?.caseId ?? '', { resolution: 'left', resolvedAt: start });
    await spend(1);
    await now([returned(invoice())]);
    await now([returned(invoice())]);
    expect(await kinds()).toEqual(['used-credits in_1']);
    expect(await resolutions()).toContainEqual(['partial-refund', 'left']);
  });
});

describe('a partial refund that fails at the bank', () => {
  const failed = resolutionOf('another amount is returned now, because a refund failed');
  const part = (refundedCents: number) => [invoice({ refundedCents })];

  test('has its case resolved, and the same amount can be refunded again', async () => {
    const { kinds, now, read, resolutions } = await reported([invoice()], part(100), part(0));
    expect([await kinds(), await resolutions()]).toEqual([[], [['partial-refund', failed]]]);
    expect((await read()).invoices[0]?.refundedCents).toBe(0);
    for (let times = 0; times < 2; times += 1) await now(part(100));
    expect([await kinds(), (await resolutions()).length]).toEqual([['partial-refund in_1'], 2]);
  });

  test('leaves one open case, about what is still returned', async () => {
    const { cases, now } = await reported([invoice()], part(100), part(300), part(200));
    await now(part(200));
    expect((await cases()).map(({ cents, kind }) => [kind, cents])).toEqual([['partial-refund', 200]]);
  });

  test('does not count as failed because of a report from before the refund', async () => {
    const { kinds, needs, own, read, states } = await reported([invoice()], part(100));
    await applyReport(needs, report(states[0], { invoices: own([invoice()]) }));
    expect([await kinds(), (await read()).invoices[0]?.refundedCents]).toEqual([['partial-refund in_1'], 100]);
  });
});

describe('a paid period of a subscription that overlaps another paid one', () => {
  const early = renewal({ periodStart: monthEnd - 5 * dayMs, periodEnd: monthEnd + 25 * dayMs });

  test('is credited and opens a case, because some time was paid twice', async () => {
    const { kinds, now, rows } = await reported([invoice()], [invoice(), early]);
    await now([invoice(), early]);
    expect([await kinds(), await rows()]).toEqual([['overlapping-periods in_2'], [credits, credits]]);
  });

  test('opens no case if it begins when the other one ends, or if the other one was refunded', async () => {
    const { kinds } = await reported([invoice()], [invoice(), renewal()]);
    expect(await kinds()).toEqual([]);
    const other = await reported([invoice()], [returned(invoice())], [returned(invoice()), early]);
    expect(await other.kinds()).toEqual([]);
  });

  test.for([
    ['its own payment', [invoice(), returned(early)], wholeReturned],
    ['the other payment', [returned(invoice()), early], resolutionOf('the other payment for the time was returned')],
  ] as const)('has its case resolved when %s is refunded', async ([, invoices, resolution]) => {
    const { kinds, now, resolutions } = await reported([invoice()], [invoice(), early]);
    await now(invoices);
    expect([await kinds(), await resolutions()]).toEqual([[], [['overlapping-periods', resolution]]]);
  });

  test('keeps its case open while it still overlaps another period', async () => {
    const third = renewal({ invoiceId: 'in_3', periodStart: monthEnd, periodEnd: monthEnd + 30 * dayMs });
    const { kinds, now } = await reported([invoice()], [invoice(), early], [invoice(), early, third]);
    await now([returned(invoice()), early, third]);
    expect(await kinds()).toEqual(['overlapping-periods in_2', 'overlapping-periods in_3']);
  });
});

describe('a dispute of a subscription payment', () => {
  const disputed = invoice({ isDisputed: true });

  test('has one open case while it is undecided, however often it is reported and even if an operator has resolved it', async () => {
    const { allCases, cases, kinds, now, read, rows } = await reported([disputed], [disputed]);
    expect(await kinds()).toEqual(['disputed-payment in_1']);
    const [found] = await cases();
    await resolveCase(host.table, found?.caseId ?? '', { resolution: 'answered', resolvedAt: start });
    await now([disputed]);
    expect([await kinds(), (await allCases()).length, await rows()]).toEqual([[], 1, [credits]]);
    expect((await read()).subscription?.status).toBe('active');
  });

  test.for([
    ['won', [invoice()], resolutionOf('the dispute was decided')],
    ['lost', [returned(invoice())], wholeReturned],
  ] as const)('has its case resolved once it is %s', async ([, invoices, resolution]) => {
    const { kinds, now, resolutions } = await reported([disputed]);
    await now(invoices);
    expect([await kinds(), await resolutions()]).toEqual([[], [['disputed-payment', resolution]]]);
  });

  test('opens a new case when it reopens, even if an operator had resolved the first one', async () => {
    const { cases, kinds, now, resolutions } = await reported([disputed]);
    const [found] = await cases();
    await resolveCase(host.table, found?.caseId ?? '', { resolution: 'answered', resolvedAt: start });
    for (const one of [invoice(), disputed, disputed]) await now([one]);
    expect(await kinds()).toEqual(['disputed-payment in_1']);
    expect((await resolutions()).length).toBe(2);
  });

  test('is not reopened by a stale read made before its decision', async () => {
    const { kinds, needs, now, own, resolutions, states } = await reported([disputed], [invoice()]);
    await applyReport(needs, report(states[0], { invoices: own([disputed]) }));
    await now([invoice()]);
    expect([await kinds(), (await resolutions()).length]).toEqual([[], 1]);
  });

  test('opens a case each time it is won after its credits were taken back, and restores no credits automatically', async () => {
    const { at, kinds, now, resolutions, rows } = await reported([invoice()], [returned(invoice())]);
    for (let times = 0; times < 2; times += 1) await now([invoice()]);
    expect([await kinds(), await rows()]).toEqual([['payment-after-refund in_1'], [['refund', -2000], credits]]);
    await now([returned(invoice())]);
    expect([await kinds(), await resolutions()]).toEqual([[], [['payment-after-refund', wholeReturned]]]);
    await now([invoice()]);
    at(monthEnd);
    await now([invoice()]);
    expect([await kinds(), await rows()]).toEqual([['payment-after-refund in_1'], [['refund', -2000], credits]]);
  });
});
