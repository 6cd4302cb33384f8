/** The demo of payments: buys credit packs by PIX and subscribes to a plan, on the pages of the sandboxes. */

import { apiOf } from '../api-of.ts';
import { unless } from '../checks.ts';
import type { Demo } from '../demo.ts';
import type { Show, Step } from '../show.ts';
import { problemsOfBalance } from '../steps/check-ledger.ts';
import { type Ledger, readLedger, showLedger } from '../steps/show-ledger.ts';
import { payOrders, showCases } from './pay-orders.ts';
import { placeOrders, qrFileOf, repeatOrder } from './place-orders.ts';
import { purchases } from './purchases.ts';
import { changeSubscription, coupon, orderSubscription, paySubscription, subscriptionRows } from './subscribe.ts';

const requestSeconds = 15;
const payingSeconds = 90;

async function showPacks({ api, screen }: Demo, signal: AbortSignal): Promise<void> {
  const { creditPacks } = (await api(signal).listPlans()).data;
  for (const { id, name, price } of creditPacks)
    screen.line(`${id.padEnd(10)}  ${name.padEnd(14)}  R$ ${price.toFixed(2)}`);
}

type Row = readonly [amount: number, reason: string];

function problemsOfRows({ history }: Ledger, rows: readonly Row[]): readonly string[] {
  const found = history.map(({ amount, reason }) => `${amount} ${reason}`);
  const expected = rows.map(([amount, reason]) => `${amount} ${reason}`);
  const isSame = found.toSorted().join() === expected.toSorted().join();
  return unless(isSame, `the rows are ${found.join(', ')}, not ${expected.join(', ')}`);
}

async function checkLedgers({ checks, ...demo }: Demo, before: Ledger, subscriber: Demo, signal: AbortSignal) {
  const ledgers = [await readLedger({ checks, ...demo }, signal), await readLedger(subscriber, signal)] as const;
  for (const ledger of ledgers) showLedger({ checks, ...demo }, ledger);
  const [buyers, subscribers] = ledgers;
  const bought = before.history.map(({ amount, reason }) => [amount, reason] as const);
  checks.report('credited', [
    ...problemsOfRows(buyers, [...bought, ...purchases.flatMap(({ rows }) => rows)]),
    ...problemsOfRows(subscribers, subscriptionRows),
  ]);
  checks.report('balanced', [before, ...ledgers].flatMap(problemsOfBalance));
}

async function performSubscription(demo: Demo, step: Step): Promise<void> {
  const ordered = await step(
    'Another account orders a subscription with a coupon, by POST /api/v1/subscriptions',
    requestSeconds,
    (signal) => orderSubscription(demo, signal),
  );
  const page = await step('Its checkout on the pages of the sandbox', payingSeconds, (signal) =>
    paySubscription(demo, ordered, signal),
  );
  await step('What becomes of it', payingSeconds, async (signal) => {
    if (page) await changeSubscription(demo, page, signal);
  });
}

async function perform(demo: Demo, step: Step): Promise<void> {
  const before = await step('The account before', requestSeconds, async (signal) => {
    const ledger = await readLedger(demo, signal);
    showLedger(demo, ledger);
    return ledger;
  });
  await step('The credit packs, from GET /api/v1/plans', requestSeconds, (signal) => showPacks(demo, signal));
  const placed = await step(
    `${purchases.length} orders by POST /api/v1/credits, each with an Idempotency-Key`,
    requestSeconds,
    (signal) => placeOrders(demo, purchases, signal),
  );
  const [first] = placed;
  await step('The first request again, with the same Idempotency-Key', requestSeconds, async (signal) => {
    if (first) await repeatOrder(demo, first, signal);
  });
  await step('What payers do on the pages of the sandbox, and what becomes of the orders', payingSeconds, (signal) =>
    payOrders(demo, placed, signal),
  );
  await step('What operators have to decide', requestSeconds, (signal) => showCases(demo, placed, signal));
  const { openAccount, url } = demo.service;
  const subscriber = { ...demo, api: apiOf(url, await openAccount()) };
  await performSubscription(subscriber, step);
  await step('The ledgers of both accounts', requestSeconds, (signal) =>
    checkLedgers(demo, before, subscriber, signal),
  );
}

export const billingShow: Show = {
  title: 'Credit packs are bought by PIX, and a plan by subscription.',
  addresses: {},
  coupons: [coupon],
  promises: {
    ordered: 'Every order got a 201 response and waits for its payment, and its QR code shows its PIX code.',
    replayed: 'The repeated request got the same order, marked as a replay.',
    settled: 'Every order has the status that follows from its payments, however they were reported.',
    protected: 'Forged and outdated events were rejected and changed nothing, and all others were accepted.',
    undecided: 'The second payment of an order is the only case for the operators.',
    subscribed: 'The subscription brought its plan, features and credits once its checkout was paid, and not before.',
    exclusive: 'Another one was rejected while there was one.',
    renewed: 'Each period brought its credits once it was paid, and what was paid keeps its features.',
    credited: 'The ledgers contain one row for each payment and refund, and no other new rows.',
    balanced: 'Each balance was the sum of its ledger.',
  },
  fileNames: purchases.map(qrFileOf),
  perform,
  close: async () => undefined,
};
