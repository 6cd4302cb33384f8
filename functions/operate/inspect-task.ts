import { operateContracts } from '../../shared/contracts/operate.ts';
import { inspectTask as inspect } from '../../shared/domain/operator-reads/inspect-task.ts';
import { engineJobs, tasks } from '../../shared/domain/store-ports.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Returns a task with its engine jobs and its events. */
export const inspectTask: OperateOperation<'inspectTask', 'engineJobs' | 'tasks'> = async ({ params, fail }, context) =>
  (await inspect(context, params.taskId)) ?? fail('NOT_FOUND');

export const definition = operateLambda(operateContracts.inspectTask, inspectTask, { engineJobs, tasks });
