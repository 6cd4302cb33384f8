/** Records in the route's circuit what the end of a task says about its engine. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { ServiceMetrics } from '../metrics.ts';
import type { End } from '../task-lifecycle/end-task.ts';
import type { Task } from '../tasks/task.ts';
import { verdictOf } from './circuit.ts';
import type { CircuitStore } from './circuit-store.ts';

interface Needs {
  readonly circuits: CircuitStore;
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
}

async function judge({ circuits, metrics }: Needs, task: Task, end: End): Promise<void> {
  const verdict =
    end.status === 'failed' && end.isOwn ? 'nothing' : verdictOf(end.status === 'failed' ? end.code : undefined);
  if (verdict === 'works') await circuits.recordSuccess(task);
  if (verdict === 'nothing') await circuits.recordNothing(task);
  if (verdict === 'fails' && (await circuits.recordFailure(task))) {
    metrics.record({ CircuitsOpened: 1 }, { engine: task.engine });
  }
}

/** Updates the circuit. Never throws: the task has already ended, whether or not the circuit can be written. */
export async function judgeEngine(needs: Needs, task: Task, end: End): Promise<void> {
  try {
    await judge(needs, task, end);
  } catch (error) {
    needs.logger.warn('circuit update failed', { taskId: task.taskId, reason: (error as Error).name });
  }
}
