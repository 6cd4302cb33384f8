/**
 * What needs an operator's attention now: paused routes, open and overdue tasks, failed webhooks, cases, and operations
 * switched off.
 */
import { type Clock, timestamp } from '../../platform/clock.ts';
import { countOpenCases } from '../billing/cases/open-cases.ts';
import { switchesRow } from '../catalog/switches-row.ts';
import { type Circuit, openForAllUntil, openForSome } from '../generation/circuit.ts';
import type { Stores } from '../stores.ts';
import type { Task } from '../tasks/task.ts';
import { failedWebhooks } from '../webhooks/failed-webhooks.ts';
import { openTasksNext } from './find-operated-tasks.ts';

type Needs = Pick<Stores, 'catalog' | 'circuits' | 'table' | 'tasks'> & { readonly clock: Clock };

const orNull = (at: number | undefined): string | null => (at === undefined ? null : timestamp(at));

const presentCircuit = (route: string, circuit: Circuit, now: number) => ({
  route,
  openUntil: orNull(openForAllUntil(circuit, now)),
  accounts: openForSome(circuit, now),
});

const presentOpen = (open: readonly Task[], now: number) => ({
  atLeast: open.length,
  // Ids sort by time, and the newest task is first.
  oldestAt: orNull(open.at(-1)?.createdAt),
  overdue: open.filter(({ deadlineAt }) => deadlineAt < now).length,
});

export async function attention({ catalog, circuits, clock, table, tasks }: Needs) {
  const now = clock.now();
  const [known, open, failed, openCases, off] = await Promise.all([
    circuits.read(),
    openTasksNext({ tasks }),
    failedWebhooks({ table, tasks }, now),
    countOpenCases(table),
    catalog.read(switchesRow),
  ]);
  const shown = [...known].map(([route, circuit]) => presentCircuit(route, circuit, now));
  return {
    circuits: shown.filter(({ accounts, openUntil }) => openUntil !== null || accounts > 0),
    openTasks: presentOpen(open, now),
    failedWebhooks: failed.length,
    openCases,
    switchedOff: [...off].toSorted(),
  };
}
