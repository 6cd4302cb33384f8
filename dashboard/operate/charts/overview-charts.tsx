/** The last days as charts: tasks, failures, payments, what engines charge, the margin, and credits. */
import { Group, SegmentedControl, SimpleGrid, Text } from '@mantine/core';
import { useState } from 'react';
import { Loaded } from '../../parts/loaded.tsx';
import { dollars, percent, reais } from '../money.ts';
import { BarChart, type Series } from './bar-chart.tsx';
import { type FigureDay, paymentText, totalOf } from './figure-days.ts';
import { useFigureDays } from './use-figure-days.ts';

type Days = readonly FigureDay[];
type Amounts = Readonly<Record<string, number>>;

const colors = [
  'var(--image)',
  'var(--video)',
  'var(--audio)',
  'var(--good)',
  'var(--mantine-color-pink-6)',
  'var(--mantine-color-blue-5)',
];

const colorAt = (index: number): string => colors[index % colors.length] ?? 'var(--idle)';

const one = (name: string, color: string, days: Days, amountOf: (day: FigureDay) => number): Series => ({
  name,
  color,
  values: days.map(amountOf),
});

const below = (...of: Parameters<typeof one>): Series => ({ ...one(...of), isBelow: true });

/** A series for each name that the amounts of any day have. */
function seriesOf(days: Days, amountsOf: (day: FigureDay) => Amounts, textOf = (name: string) => name): Series[] {
  const names = [...new Set(days.flatMap((day) => Object.keys(amountsOf(day))))].toSorted();
  return names.map((name, index) => one(textOf(name), colorAt(index), days, (day) => amountsOf(day)[name] ?? 0));
}

const Tasks = ({ days }: { readonly days: Days }) => (
  <BarChart
    title="Tasks"
    hint="Tasks that ended on the day. Failed ones do not count those that a customer or an operator canceled."
    empty="No task has ended."
    days={days.map(({ day }) => day)}
    series={[
      one('Completed', 'var(--image)', days, ({ completed }) => completed),
      one('Failed', 'var(--bad)', days, ({ failures }) => totalOf(failures)),
      one('Canceled', 'var(--idle)', days, ({ canceled }) => canceled),
    ]}
  />
);

const Failures = ({ days }: { readonly days: Days }) => (
  <BarChart
    title="Failures by error code"
    hint="Failed tasks, without canceled ones. Each was refunded."
    empty="No task has failed."
    days={days.map(({ day }) => day)}
    series={seriesOf(days, ({ failures }) => failures)}
  />
);

const Revenue = ({ days }: { readonly days: Days }) => (
  <BarChart
    title="Revenue in R$"
    hint="What customers paid on the day for packs and subscriptions, by gateway and before its fees. Below the line: payments that were returned."
    empty="Nothing has been paid."
    days={days.map(({ day }) => day)}
    series={[
      ...seriesOf(
        days,
        ({ totals }) => Object.fromEntries(Object.entries(totals.revenueCents).map(([of, cents]) => [of, cents / 100])),
        paymentText,
      ),
      below('Returned', 'var(--bad)', days, ({ totals }) => totalOf(totals.returnedCents) / 100),
    ]}
    write={(amount) => reais(amount * 100)}
    least={0.01}
  />
);

const marginOf = ({ costMicros, worthMicros }: FigureDay): number => worthMicros - costMicros;

function Margin({ days }: { readonly days: Days }) {
  const sum = (of: (day: FigureDay) => number) => days.reduce((total, day) => total + of(day), 0);
  const [margin, worth] = [sum(marginOf), sum(({ worthMicros }) => worthMicros)];
  return (
    <BarChart
      title="Engines’ cost and margin in US$"
      hint="Cost: what engines charge for the day’s tasks, failed and canceled ones included. Margin: what the credits of completed tasks are worth, less this cost; below the line if the cost is higher."
      empty="No credits were used, and engines charged nothing."
      days={days.map(({ day }) => day)}
      series={[
        one('Cost', 'var(--audio)', days, ({ costMicros }) => costMicros / 1_000_000),
        {
          ...one('Margin', 'var(--good)', days, (day) => marginOf(day) / 1_000_000),
          total: `${dollars(margin)} (${percent(margin, worth)})`,
        },
      ]}
      write={(amount) => dollars(Math.round(amount * 1_000_000))}
      extra={{ name: 'Margin in percent', values: days.map((day) => percent(marginOf(day), day.worthMicros)) }}
      least={0.01}
    />
  );
}

const EngineCosts = ({ days }: { readonly days: Days }) => (
  <BarChart
    title="Cost by engine in US$"
    hint="What each engine charges for the tasks that ended on the day, failed and canceled ones included."
    empty="No engine charged anything."
    days={days.map(({ day }) => day)}
    series={seriesOf(days, ({ totals }) =>
      Object.fromEntries(
        Object.entries(totals.engineCostMicros).map(([engine, micros]) => [engine, micros / 1_000_000]),
      ),
    )}
    write={(amount) => dollars(Math.round(amount * 1_000_000))}
    least={0.01}
  />
);

const Credits = ({ days }: { readonly days: Days }) => (
  <BarChart
    title="Credits"
    hint="Above the line: credits that customers bought or were given. Below: credits that completed tasks used, and those taken back with a returned payment."
    empty="No credits were sold or used."
    days={days.map(({ day }) => day)}
    series={[
      one('Sold', 'var(--good)', days, ({ totals }) => totals.creditsSold),
      one('Given', 'var(--video)', days, ({ totals }) => totals.creditsGiven),
      below('Used', 'var(--image)', days, ({ creditsUsed }) => creditsUsed),
      below('Taken back', 'var(--bad)', days, ({ totals }) => totals.creditsTaken),
    ]}
  />
);

function Unused({ days }: { readonly days: Days }) {
  const known = days.filter(({ totals }) => totals.unused !== null);
  const unusedOf = ({ totals }: FigureDay): number => totals.unused ?? 0;
  const newest = known.at(-1);
  const series = one('Unused', 'var(--image)', known, unusedOf);
  return (
    <BarChart
      title="Unused credits"
      hint="Credits of all accounts that were sold or given and not used yet, at the end of the day: what the service still owes. Known from the first audit of a day on."
      empty="Not known before the first audit of a day."
      days={known.map(({ day }) => day)}
      series={[{ ...series, ...(newest && { total: unusedOf(newest).toLocaleString('en') }) }]}
    />
  );
}

const ranges = [7, 30] as const;

export function OverviewCharts() {
  const [count, setCount] = useState<number>(7);
  const query = useFigureDays(count);
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text c="dimmed" size="sm">
          Days are in UTC; the last one is today.
        </Text>
        <SegmentedControl
          aria-label="How many days"
          value={String(count)}
          onChange={(chosen) => setCount(Number(chosen))}
          data={ranges.map((days) => ({ value: String(days), label: `${days} days` }))}
        />
      </Group>
      <Loaded query={query} rows={6}>
        {(days) => (
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Tasks days={days} />
            <Failures days={days} />
            <Revenue days={days} />
            <Margin days={days} />
            <EngineCosts days={days} />
            <Credits days={days} />
            <Unused days={days} />
          </SimpleGrid>
        )}
      </Loaded>
    </>
  );
}
