/** Pays the demo's orders in various ways, and compares the results with what must follow. */
import { unless } from '../checks.ts';
import type { Demo } from '../demo.ts';
import { widthOf } from '../order.ts';
import { openPixPage, type PixPage } from './pix-page.ts';
import type { CreditOrder, Placed } from './place-orders.ts';
import { seen } from './seen.ts';

async function payOrder(demo: Demo, { purchase, order }: Placed, page: PixPage, signal: AbortSignal) {
  const statuses: CreditOrder['status'][] = [];
  const read = async () => (await demo.api(signal).getOrder({ params: { orderId: order.id } })).data;
  for (const { press, events = 'at once', status } of purchase.acts) {
    const countEvents = async () => (await page.events()).length;
    const before = await countEvents();
    await page.press(press, events);
    // Nothing changes as a result, so the demo waits only for the event to arrive.
    if (press === 'notify') await seen(countEvents, (count) => count > before, signal);
    statuses.push((await seen(read, (now) => now.status === status, signal)).status);
  }
  return statuses;
}

export async function payOrders(demo: Demo, placed: readonly Placed[], signal: AbortSignal): Promise<void> {
  const { checks, screen, service } = demo;
  const nameWidth = widthOf(placed.map(({ purchase }) => purchase));
  const settled: string[] = [];
  const believed: string[] = [];
  for (const one of placed) {
    const { name, acts } = one.purchase;
    const page = await openPixPage(service.pixSandboxUrl, one.order.pix?.qrCode ?? '');
    const statuses = await payOrder(demo, one, page, signal);
    const lines = acts.map(
      ({ press, events }, index) => `${press}${events ? ` [event ${events}]` : ''} → ${statuses[index]}`,
    );
    screen.line(`${name.padEnd(nameWidth)}  ${lines.join('; ')}`);
    screen.line(screen.style('dim', `${''.padEnd(nameWidth)}  ${page.url}`));
    settled.push(...unless(statuses.at(-1) === acts.at(-1)?.status, `${name} is ${statuses.at(-1)}`));
    believed.push(...(await problemsOfEvents(one, statuses, page)));
  }
  checks.report('settled', settled);
  checks.report('protected', believed);
}

/** Checks that forged events got 401 and changed nothing, and all others were accepted. */
async function problemsOfEvents(
  { purchase: { name, acts } }: Placed,
  statuses: readonly string[],
  page: PixPage,
): Promise<readonly string[]> {
  const isWrong = ({ events }: (typeof acts)[number]) => events === 'forged' || events === 'stale';
  const responses = (await page.events()).map(({ status }) => status);
  const wrong = acts.filter(isWrong).length;
  const rejected = responses.filter((status) => status === 401).length;
  const accepted = responses.filter((status) => status === 200).length;
  const hasChanged = acts.some((act, index) => isWrong(act) && statuses[index] !== act.status);
  return [
    ...unless(
      rejected === wrong && rejected + accepted === responses.length,
      `the events of ${name} got the responses ${responses.join(', ')}`,
    ),
    ...unless(!hasChanged, `a forged or outdated event changed the order ${name}`),
  ];
}

/** Shows the open cases, as operators see them. */
export async function showCases(demo: Demo, placed: readonly Placed[], signal: AbortSignal): Promise<void> {
  const { checks, screen, service } = demo;
  const expected = placed.flatMap(({ purchase, order }) =>
    (purchase.cases ?? []).map((kind) => `${kind} of order ${order.id}`),
  );
  const cases = await seen(
    () => service.openCases(),
    ({ length }) => length >= expected.length,
    signal,
  );
  const found = cases.map(({ kind, orderId }) => `${kind} of order ${orderId}`);
  for (const one of found) screen.line(one);
  checks.report('undecided', unless(expected.join() === found.join(), `the cases are ${found.join(', ') || 'none'}`));
}
