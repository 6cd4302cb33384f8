/** The demo of payments: credit packs are bought by PIX on the pages of the sandbox. */
import { unless } from '../checks.ts';
import type { Demo } from '../demo.ts';
import type { Show, Step } from '../show.ts';
import { problemsOfBalance } from '../steps/check-ledger.ts';
import { type Ledger, readLedger, showLedger } from '../steps/show-ledger.ts';
import { payOrders, showCases } from './pay-orders.ts';
import { placeOrders, qrFileOf, repeatOrder } from './place-orders.ts';
import { purchases } from './purchases.ts';

const requestSeconds = 15;
const payingSeconds = 90;

async function showPacks({ api, screen }: Demo, signal: AbortSignal): Promise<void> {
  const { creditPacks } = (await api(signal).listPlans()).data;
  for (const { id, name, price } of creditPacks)
    screen.line(`${id.padEnd(10)}  ${name.padEnd(14)}  R$ ${price.toFixed(2)}`);
}

function checkLedger({ checks }: Demo, before: Ledger, after: Ledger): void {
  const known = new Set(before.history.map(({ id }) => id));
  const gained = after.history.filter(({ id }) => !known.has(id)).map(({ amount, reason }) => `${amount} ${reason}`);
  const expected = purchases.flatMap(({ rows }) => rows.map(([amount, reason]) => `${amount} ${reason}`));
  const isSame = gained.toSorted().join() === expected.toSorted().join();
  checks.report('credited', unless(isSame, `the new rows are ${gained.join(', ')}, not ${expected.join(', ')}`));
  checks.report('balanced', [before, after].flatMap(problemsOfBalance));
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
  await step('The account after', requestSeconds, async (signal) => {
    const after = await readLedger(demo, signal);
    showLedger(demo, after);
    checkLedger(demo, before, after);
  });
}

export const billingShow: Show = {
  title: 'Credit packs are bought by PIX.',
  addresses: {},
  promises: {
    ordered: 'Every order got a 201 response and waits for its payment, and its QR code shows its PIX code.',
    replayed: 'The repeated request got the same order, marked as a replay.',
    settled: 'Every order has the status that follows from its payments, however they were reported.',
    protected: 'Forged and outdated events were rejected and changed nothing, and all others were accepted.',
    undecided: 'The second payment of an order is the only case for the operators.',
    credited: 'The ledger contains one row for each payment and refund of an order, and no other new rows.',
    balanced: 'The balance was the sum of the ledger before and after.',
  },
  fileNames: purchases.map(qrFileOf),
  perform,
  close: async () => undefined,
};
