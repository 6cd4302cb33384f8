/** Opens the circuits of a task type's routes for an account; after a pause, its next task claims the probe. */
import type { TaskType } from '../../../shared/contracts/task-types.ts';
import { routesRow } from '../../../shared/domain/catalog/routes-row.ts';
import { failuresThatOpen } from '../../../shared/domain/generation/circuit.ts';
import type { FullContext } from '../../../shared/runtime/full-context.ts';

type Needs = Pick<FullContext, 'catalog' | 'circuits' | 'clock'>;

export async function openCircuits({ catalog, circuits, clock }: Needs, accountId: string, taskType: TaskType) {
  const { routes } = (await catalog.read(routesRow))[taskType];
  for (const route of routes) {
    const task = { accountId, createdAt: clock.now(), route };
    for (let failures = 0; failures < failuresThatOpen; failures += 1) await circuits.recordFailure(task);
  }
}
