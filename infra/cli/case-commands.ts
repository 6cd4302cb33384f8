/** The commands for cases: payments that need an operator's decision. */

import type { BillingCase } from '../../shared/domain/billing/cases/billing-case.ts';
import { type Order, orderCurrency } from '../../shared/domain/billing/orders/order.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { readable, readableFinds } from '../../shared/domain/readable-rows.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { actCommand } from './act-command.ts';
import { type Command, command, optional, required, type ValueKind } from './command.ts';
import { commandFailed } from './exit-error.ts';
import type { Service } from './service.ts';
import { lines, table } from './text-output.ts';
import { timeOrNull } from './time-or-null.ts';
import { oneOf } from './value-kinds.ts';

/** How many orders are read concurrently. */
const batchSize = 25;

const caseId: ValueKind<string> = {
  placeholder: 'CASE',
  accepts: 'the id of a case, as shown by "case list"',
  parse: (value) => (/^[0-9a-f-]{36}\.[0-9a-f]{16}$/.test(value) ? value : undefined),
};

/** Presents a case; `orderAmount` is what its order costs. */
const shown = (
  { cents, createdAt, reportedAt, endedAt, resolvedAt, accountId, missingCredits, resolution, ...found }: BillingCase,
  order: Order | undefined,
) => ({
  ...found,
  accountId: accountId ?? null,
  amount: cents / 100,
  orderAmount: order ? order.cents / 100 : null,
  missingCredits: missingCredits ?? null,
  createdAt: timestamp(createdAt),
  reportedAt: timeOrNull(reportedAt),
  endedAt: timeOrNull(endedAt),
  resolvedAt: timeOrNull(resolvedAt),
  resolution: resolution ?? null,
});
type Shown = ReturnType<typeof shown>;

/** The amount in words: what the case is about, and what the order costs, as in `BRL 0.01 of 14.90`. */
const inWords = ({ amount, orderAmount, currency, ...rest }: Shown) => {
  const due = orderAmount === null ? '' : ` of ${currency === orderCurrency ? '' : `${orderCurrency} `}`;
  return { ...rest, amount: `${currency} ${amount.toFixed(2)}${due}${orderAmount?.toFixed(2) ?? ''}` };
};

/** The orders of cases, by their ids; without those that do not exist or cannot be read. */
async function ordersOf({ orders, table: rows }: Service, cases: readonly BillingCase[]): Promise<Map<string, Order>> {
  const ids = [...new Set(cases.map(({ orderId }) => orderId))];
  const found: Order[] = [];
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    found.push(...(await readableFinds(rows, { kind: 'order', idOf: String }, batch, (id) => orders.find(id))));
  }
  return new Map(found.map((order) => [order.orderId, order]));
}

/** Finds a case. @throws {ExitError} if it does not exist */
async function findCase({ cases }: Service, id: string): Promise<BillingCase> {
  const found = await cases.find(id);
  if (!found) throw commandFailed(`There is no case ${id}.`);
  return found;
}

async function describe(service: Service, id: string): Promise<Shown> {
  const found = await findCase(service, id);
  return shown(found, (await ordersOf(service, [found])).get(found.orderId));
}

const list = command({
  name: 'list',
  summary: 'List the open cases, oldest first: money that needs a decision.',
  options: {
    status: optional(oneOf('STATUS', ['open', 'all']), 'Whether resolved cases are listed too; open by default.'),
  },
  async run({ status = 'open' }, service) {
    const found = await service.cases.list({ onlyOpen: status === 'open' });
    const orders = await ordersOf(service, found);
    const kind = { kind: 'case', idOf: ({ caseId: id }: BillingCase) => id };
    return { cases: readable(service.table, kind, found, (one) => shown(one, orders.get(one.orderId))) };
  },
  rows: ({ cases }) => cases,
  print: ({ cases }) => table(cases.map(inWords), 'There are no open cases.'),
});

const show = command({
  name: 'show',
  summary: 'Show a case.',
  options: { case: required(caseId, 'The case.') },
  run: ({ case: id }, service) => describe(service, id),
  print: (found) => lines(inWords(found)),
});

const resolve = actCommand(acts.resolveCase, {
  name: 'resolve',
  summary: 'Close a case; the reason is what was done about it, such as "refunded at Mercado Pago".',
  options: { case: required(caseId, 'The case.') },
  async run({ case: id }, { connect, perform }) {
    const service = await connect();
    await perform(service, service, { case: id });
    return describe(service, id);
  },
  print: ({ caseId: id }) => `Case ${id} is resolved.`,
});

export const caseCommands: readonly Command[] = [list, show, resolve];
