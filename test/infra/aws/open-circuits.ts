/** Opens circuits for an account, and ends tasks that probe a route in each way that changes its circuit. */
import type { TaskType } from '../../../shared/contracts/task-types.ts';
import { routesRow } from '../../../shared/domain/catalog/routes-row.ts';
import { failuresThatOpen, longestPauseMs } from '../../../shared/domain/generation/circuit.ts';
import type { FullContext } from '../../../shared/runtime/full-context.ts';
import type { TestAccount, TestService } from '../../support/test-service.ts';

type Needs = Pick<FullContext, 'catalog' | 'circuits' | 'clock'>;

/** Opens the circuits of a task type's routes for an account; after a pause, its next task claims the probe. */
export async function openCircuits({ catalog, circuits, clock }: Needs, accountId: string, taskType: TaskType) {
  const { routes } = (await catalog.read(routesRow))[taskType];
  for (const route of routes) {
    const task = { accountId, createdAt: clock.now(), route };
    for (let failures = 0; failures < failuresThatOpen; failures += 1) await circuits.recordFailure(task);
  }
}

/** Cancels and deletes tasks that probe a route: after each of them, another task may probe it. */
export async function cancelProbes(host: TestService, { accountId, token }: TestAccount, held: () => Promise<string>) {
  for (const operationId of ['cancelTask', 'deleteTask'] as const) {
    await openCircuits(host.service.context, accountId, 'voice');
    host.clock.advance(longestPauseMs);
    await host.call(operationId, { token, params: { taskId: await held() } });
  }
}
