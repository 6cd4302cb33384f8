import { operateContracts } from '../../shared/contracts/operate.ts';
import { countOpenCases } from '../../shared/domain/billing/cases/open-cases.ts';
import { switchesRow } from '../../shared/domain/catalog/switches-row.ts';
import { type Circuit, openForAllUntil, openForSome } from '../../shared/domain/generation/circuit.ts';
import { openTasksNext } from '../../shared/domain/operator-reads/find-operated-tasks.ts';
import { catalog, circuits, tasks } from '../../shared/domain/store-ports.ts';
import type { Task } from '../../shared/domain/tasks/task.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

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

/** Returns what needs attention now. */
export const getAttention: OperateOperation<'getAttention', 'catalog' | 'circuits' | 'tasks'> = async (_, context) => {
  const now = context.clock.now();
  const [known, open, openCases, off] = await Promise.all([
    context.circuits.read(),
    openTasksNext(context),
    countOpenCases(context.table),
    context.catalog.read(switchesRow),
  ]);
  const shown = [...known].map(([route, circuit]) => presentCircuit(route, circuit, now));
  return {
    circuits: shown.filter(({ accounts, openUntil }) => openUntil !== null || accounts > 0),
    openTasks: presentOpen(open, now),
    openCases,
    switchedOff: [...off].toSorted(),
  };
};

export const definition = operateLambda(operateContracts.getAttention, getAttention, { catalog, circuits, tasks });
