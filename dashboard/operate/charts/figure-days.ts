/** What the charts show of each day: the sums of its figures. */
import type * as z from 'zod';
import type { operateOverviewContracts } from '../../../shared/contracts/operate-overview.ts';

export type DayFigures = z.output<typeof operateOverviewContracts.getFigures.success.data>;
type Row = DayFigures['rows'][number];
type Amounts = Readonly<Record<string, number>>;

/** Customers cancel their own tasks, so that says nothing about the service. */
const canceled = 'CANCELED';

export const canceledOf = ({ failures }: Pick<Row, 'failures'>): number => failures[canceled] ?? 0;

/** The failures by error code, without canceled tasks. */
export const failuresOf = ({ failures }: Pick<Row, 'failures'>): Amounts =>
  Object.fromEntries(Object.entries(failures).filter(([code]) => code !== canceled));

export const totalOf = (amounts: Amounts): number => Object.values(amounts).reduce((sum, one) => sum + one, 0);

const sumOver = (rows: readonly Row[], amountOf: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + amountOf(row), 0);

export interface FigureDay {
  readonly day: string;
  readonly completed: number;
  readonly canceled: number;
  readonly failures: Amounts;
  readonly creditsUsed: number;
  readonly worthMicros: number;
  readonly costMicros: number;
  readonly totals: DayFigures['totals'];
}

export function figureDay({ day, rows, totals }: DayFigures): FigureDay {
  const codes = new Set(rows.flatMap((row) => Object.keys(failuresOf(row))));
  return {
    day,
    completed: sumOver(rows, ({ failed, tasks }) => tasks - failed),
    canceled: sumOver(rows, canceledOf),
    failures: Object.fromEntries(
      [...codes].map((code) => [code, sumOver(rows, ({ failures }) => failures[code] ?? 0)]),
    ),
    creditsUsed: sumOver(rows, ({ credits }) => credits),
    worthMicros: sumOver(rows, ({ worthMicros }) => worthMicros),
    costMicros: sumOver(rows, ({ costMicros }) => costMicros),
    totals,
  };
}

const products: Readonly<Record<string, string>> = { pack: 'Packs', subscription: 'Subscriptions' };

/** The text for a counter of payments, such as `pack mercado-pago`. */
export function paymentText(counter: string): string {
  const [what = '', gateway = ''] = counter.split(' ');
  return `${products[what] ?? what}, ${gateway}`;
}
