/**
 * A day's figures for operators: by operation, engine or account. What engines charge is in millionths of a US dollar.
 */
import { generationOf } from '../../contracts/generate.ts';
import type { figureGroups } from '../../contracts/operate-overview.ts';
import { isTaskType } from '../../contracts/task-types.ts';
import { dayAt, dayMs } from '../../platform/clock.ts';
import { enginePricesRow } from '../catalog/engine-prices-row.ts';
import type { Stores } from '../stores.ts';
import type { Day } from '../usage/usage.ts';
import { unusedChange } from './counts.ts';
import { type AccountFigures, forEachFigures } from './figures-store.ts';
import { unusedAtEnd } from './unused-credits.ts';

export type FigureGroup = (typeof figureGroups)[number];

export interface FigureRow {
  /** The operation's id, the engine's name or the account's id. */
  readonly name: string;
  /** Tasks that ended on the day. */
  readonly tasks: number;
  readonly failed: number;
  /** The number of failures by error code. */
  readonly failures: Readonly<Record<string, number>>;
  /** The credits that completed tasks used, and those that failed tasks were refunded. */
  readonly credits: number;
  readonly refunded: number;
  /** What these credits are worth, what the engines charge, and the difference. */
  readonly worthMicros: number;
  readonly costMicros: number;
  readonly marginMicros: number;
}

export interface DayTotals {
  /** Credits bought, credits given, and credits taken back because a payment was returned. */
  readonly creditsSold: number;
  readonly creditsGiven: number;
  readonly creditsTaken: number;
  /** By how much unused credits, including those that open tasks hold, increased on the day. */
  readonly unusedChange: number;
  /** The unused credits of all accounts at the end of the day, or now; null if they are not known. */
  readonly unused: number | null;
  /** Cents that were paid and returned, by what was bought and by gateway, as in `pack mercado-pago`. */
  readonly revenueCents: Readonly<Record<string, number>>;
  readonly returnedCents: Readonly<Record<string, number>>;
  /** What each engine charges. */
  readonly engineCostMicros: Readonly<Record<string, number>>;
}

export interface FigureReport {
  readonly day: Day;
  readonly by: FigureGroup;
  readonly rows: readonly FigureRow[];
  readonly totals: DayTotals;
}

interface Sums {
  tasks: number;
  failed: number;
  failures: Record<string, number>;
  credits: number;
  refunded: number;
  cost: number;
}

const operationOf = (taskType: string): string =>
  isTaskType(taskType) ? generationOf(taskType).operationId : taskType;

/** Adds a counter about tasks to the sums of its group. */
function addTo(sums: Sums, measure: string, code: string | undefined, amount: number): void {
  if (measure === 'tasks' || measure === 'credits' || measure === 'refunded' || measure === 'cost') {
    sums[measure] += amount;
  } else if (code !== undefined) {
    sums.failed += amount;
    sums.failures[code] = (sums.failures[code] ?? 0) + amount;
  }
}

const addNamed = (to: Record<string, number>, name: string, amount: number): void => {
  to[name] = (to[name] ?? 0) + amount;
};

/**
 * Adds up the figures of all accounts as they are read: only the sums of the groups are kept in memory, even with a
 * million accounts.
 */
function figureSums(by: FigureGroup) {
  const groups = new Map<string, Sums>();
  const credits = { sold: 0, given: 0, taken: 0, unused: 0 };
  const empty = (): Record<string, number> => ({});
  const money = { revenue: empty(), returned: empty() };
  const engineCost = empty();
  const groupOf = (name: string): Sums => {
    const known = groups.get(name) ?? { tasks: 0, failed: 0, failures: {}, credits: 0, refunded: 0, cost: 0 };
    groups.set(name, known);
    return known;
  };
  return {
    groups,
    credits,
    money,
    engineCost,
    add({ accountId, counts }: AccountFigures): void {
      credits.unused += unusedChange(counts);
      for (const [counter, amount] of Object.entries(counts)) {
        const [measure = '', ...about] = counter.split(' ');
        if (measure === 'revenue' || measure === 'returned') addNamed(money[measure], about.join(' '), amount);
        else if (measure === 'sold' || measure === 'given' || measure === 'taken') credits[measure] += amount;
        else {
          const [taskType = '', engine = '', code] = about;
          const names = { operation: operationOf(taskType), engine, account: accountId };
          if (measure === 'cost') addNamed(engineCost, engine, amount);
          addTo(groupOf(names[by]), measure, code, amount);
        }
      }
    },
  };
}

const rowOf = (creditMicros: number, [name, { cost, ...sums }]: readonly [string, Sums]): FigureRow => {
  const worthMicros = sums.credits * creditMicros;
  return { name, ...sums, worthMicros, costMicros: cost, marginMicros: worthMicros - cost };
};

export async function reportFigures(
  { catalog, table }: Pick<Stores, 'catalog' | 'table'>,
  day: Day,
  by: FigureGroup,
): Promise<FigureReport> {
  const sums = figureSums(by);
  const [{ creditMicros }, unusedBefore] = await Promise.all([
    catalog.read(enginePricesRow),
    unusedAtEnd(table, dayAt(Date.parse(day) - dayMs)),
    forEachFigures(table, day, (figures) => sums.add(figures)),
  ]);
  const { sold, given, taken, unused } = sums.credits;
  return {
    day,
    by,
    rows: [...sums.groups].map((one) => rowOf(creditMicros, one)).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    totals: {
      creditsSold: sold,
      creditsGiven: given,
      creditsTaken: taken,
      unusedChange: unused,
      unused: unusedBefore === undefined ? null : unusedBefore + unused,
      revenueCents: sums.money.revenue,
      returnedCents: sums.money.returned,
      engineCostMicros: sums.engineCost,
    },
  };
}
