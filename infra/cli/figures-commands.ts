/** The command for the figures of a day. */

import { figureGroups } from '../../shared/contracts/operate-overview.ts';
import { catalogStore } from '../../shared/domain/catalog/catalog-store.ts';
import { type FigureReport, reportFigures } from '../../shared/domain/figures/report-figures.ts';
import { dayAt } from '../../shared/platform/clock.ts';
import { type Command, command, optional } from './command.ts';
import { enginesOf } from './engines-of.ts';
import { lines, table } from './text-output.ts';
import { day, oneOf } from './value-kinds.ts';

const dollars = (micros: number): string => (micros / 1_000_000).toFixed(4);

const reais = (cents: number): string => `R$ ${(cents / 100).toFixed(2)}`;

const inReais = (amounts: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(amounts).map(([name, cents]) => `${name} ${reais(cents)}`);

const named = (amounts: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(amounts).map(([name, amount]) => `${name} ${amount}`);

const rowsOf = ({ rows, by }: FigureReport) =>
  rows.map(({ name, worthMicros, costMicros, marginMicros, failures, ...row }) => ({
    [by]: name,
    ...row,
    failures: named(failures),
    worthUsd: dollars(worthMicros),
    costUsd: dollars(costMicros),
    marginUsd: dollars(marginMicros),
  }));

function print(report: FigureReport): string {
  const { totals, day: shown } = report;
  const { engineCostMicros, revenueCents, returnedCents, ...credits } = totals;
  const engineCost = Object.entries(engineCostMicros).map(([engine, micros]) => `${engine} US$ ${dollars(micros)}`);
  const money = { revenue: inReais(revenueCents), returned: inReais(returnedCents), engineCost };
  const rows = rowsOf(report).map(({ worthUsd, costUsd, marginUsd, ...row }) => ({
    ...row,
    worth: `US$ ${worthUsd}`,
    cost: `US$ ${costUsd}`,
    margin: `US$ ${marginUsd}`,
  }));
  return `${table(rows, `No task ended on ${shown}.`)}\n\n${lines({ ...credits, ...money })}`;
}

const show = command({
  name: 'show',
  summary: 'Show what a day brought: tasks, failures, credits, payments, what engines charge, and the margin.',
  options: {
    day: optional(day, 'The day (UTC); today by default.'),
    by: optional(oneOf('GROUP', figureGroups), 'What the rows are about; operation by default.'),
  },
  run: ({ day: given, by = 'operation' }, service) => {
    const catalog = catalogStore(service.table, service.clock, () => enginesOf(service));
    return reportFigures({ catalog, table: service.table }, given ?? dayAt(service.clock.now()), by);
  },
  print,
  rows: rowsOf,
});

export const figuresCommands: readonly Command[] = [show];
