/** Formats a measurement: what a task uses, how long its functions take, and what a thousand tasks cost. */
import { memoryMbOf } from '../../infra/hosting.ts';
import type { TextTable } from '../text-table.ts';
import { asksOf } from './asks.ts';
import { type Bill, billOf, totalOf } from './bill.ts';
import { prices, type Resource } from './prices.ts';
import type { Scenario, TaskRecord } from './task-record.ts';
import { billedMs, meanUsage, type Usage, usageOf } from './usage.ts';

export interface Measurement {
  readonly scenario: Scenario;
  readonly records: readonly TaskRecord[];
}

const tasksBilled = 1000;

const nameOf = ({ scenario: { kind, completion, jobSeconds, hasWebhook } }: Measurement): string =>
  `${kind}, ${completion}, ${jobSeconds} s, ${hasWebhook ? 'webhook' : 'polls'}`;

const usageIn = ({ records }: Measurement): Usage => meanUsage(records.map(usageOf));

/** The bill of a measurement, optionally with more state transitions per task than are known to be charged. */
export function billIn(measurement: Measurement, moreTransitions = 0): Bill {
  const usage = usageIn(measurement);
  return billOf({ ...usage, stateTransitions: usage.stateTransitions + moreTransitions }, tasksBilled);
}

/** Formats a number: integers unchanged, small numbers with enough decimals to show a nonzero digit. */
const amount = (value: number): string => (Number.isInteger(value) ? String(value) : value.toPrecision(3));

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** Scales byte counts to smaller units, because gigabytes are too coarse for a single task. */
const scaled = (resource: Resource): { unit: string; factor: number } => {
  const { unit } = prices[resource];
  return resource === 'logGigabytes' || resource === 'sentGigabytes'
    ? { unit: unit.replace('GB', 'kB'), factor: 2 ** 20 }
    : { unit, factor: 1 };
};

export function usageTable(measurements: readonly Measurement[], polls: number | undefined): TextTable {
  const usages = measurements.map(usageIn);
  const rows = (Object.keys(prices) as Resource[]).map((resource) => {
    const { unit, factor } = scaled(resource);
    return [prices[resource].service, unit, ...usages.map((usage) => amount(usage[resource] * factor))];
  });
  return {
    title: `What one task uses: one request with a key, then ${polls === undefined ? 'polls by the hints' : `${polls} polls`} or a webhook`,
    columns: ['service', 'unit', ...measurements.map(nameOf)],
    rows,
  };
}

export function functionTable(measurements: readonly Measurement[]): TextTable {
  const calls = measurements.map(({ records }) => records.flatMap((record) => record.calls));
  const names = [...new Set(calls.flat().map(({ functionName }) => functionName))];
  const rows = names.map((name) => {
    const named = calls.map((some) => some.filter(({ functionName }) => functionName === name));
    const all = named.flat();
    const perTask = named.map((some, at) => amount(some.length / (measurements[at]?.records.length ?? 1)));
    const logged = mean(all.map(({ logBytes }) => logBytes));
    const [measured, billed] = [mean(all.map(({ ms }) => ms)), mean(all.map(({ ms }) => billedMs(ms)))];
    return [name, memoryMbOf(name), ...perTask, measured.toFixed(1), billed.toFixed(0), logged.toFixed(0)];
  });
  return {
    title: 'Function invocations for one task',
    columns: ['function', 'MB', ...measurements.map(nameOf), 'ms measured', 'ms billed', 'log bytes'],
    rows,
  };
}

/** What a task of each kind stores, waits for and costs, and the AWS service with the largest share. */
export function kindTable(measurements: readonly Measurement[]): TextTable {
  const rows = measurements.map((measurement) => {
    const { scenario, records } = measurement;
    const usage = usageIn(measurement);
    const [min, max] = [billIn(measurement), billIn(measurement, 1)];
    const [largest = ['', 0]] = Object.entries(min).toSorted(([, one], [, other]) => other - one);
    const megabytes = (bytes: readonly number[]): string => (mean(bytes) / 1e6).toFixed(2);
    const dollars = (bill: Bill): string => (totalOf(bill) / tasksBilled).toFixed(6);
    return [
      nameOf(measurement),
      megabytes(records.map(({ inputBytes }) => inputBytes)),
      megabytes(records.map(({ resultBytes }) => resultBytes)),
      asksOf(scenario),
      amount(usage.stateTransitions),
      dollars(min),
      dollars(max),
      `${largest[0]} ${Math.round((largest[1] / totalOf(min)) * 100)} %`,
    ];
  });
  return {
    title: 'Dollars for one task of each kind',
    columns: ['kind', 'MB in', 'MB out', 'checks', 'transitions', 'at least', 'at most', 'largest share'],
    rows,
  };
}

export function billTable(measurements: readonly Measurement[]): TextTable {
  const bills = measurements.map((measurement) => billIn(measurement));
  const services = Object.keys(bills[0] ?? {});
  const mostExpensive = measurements.map((measurement) => billIn(measurement, 1));
  const dollars = (value: number): string => value.toFixed(4);
  const totals = (some: readonly Bill[]): string[] => some.map((bill) => dollars(totalOf(bill)));
  return {
    title: `Dollars per ${tasksBilled} tasks`,
    columns: ['service', ...measurements.map(nameOf)],
    rows: [
      ...services.map((service) => [service, ...bills.map((bill) => dollars(bill[service] ?? 0))]),
      ['total, at least', ...totals(bills)],
      ['total, at most', ...totals(mostExpensive)],
    ],
  };
}
