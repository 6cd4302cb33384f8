/** What a task's end says of the engine that it was given to. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { ServiceMetrics } from '../metrics.ts';
import type { End } from '../tasks/end-task.ts';
import type { Task } from '../tasks/task.ts';
import { circuitOf, verdictOf } from './circuit.ts';
import type { CircuitStore } from './circuit-store.ts';

interface Needs {
  readonly circuits: CircuitStore;
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
}

async function judge({ circuits, metrics }: Needs, task: Task, end: End, wasAsked: boolean): Promise<void> {
  const circuit = circuitOf(task, task.taskType);
  switch (verdictOf(end.status === 'failed' ? end.code : undefined, wasAsked)) {
    case 'works':
      return circuits.noteSuccess(circuit);
    case 'fails':
      if (await circuits.noteFailure(circuit, task.taskId)) {
        metrics.record({ CircuitsOpened: 1 }, { engine: task.engine });
      }
      return undefined;
    default:
      return task.isProbe ? circuits.giveBack(circuit, task.taskId) : undefined;
  }
}

/** The task has ended already: that its engine can not be judged is no reason to fail. */
export async function judgeEngine(
  needs: Needs,
  task: Task,
  end: End,
  { wasAsked = true }: { readonly wasAsked?: boolean } = {},
): Promise<void> {
  try {
    await judge(needs, task, end, wasAsked);
  } catch (error) {
    needs.logger.warn('an engine was not judged', { taskId: task.taskId, reason: (error as Error).name });
  }
}
