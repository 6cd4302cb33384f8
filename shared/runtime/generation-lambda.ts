/** How a generation operation is served: as every operation, and a repeated request starts its task again. */
import type { OperationContract } from '../contracts/operation.ts';
import { startTask } from '../domain/tasks/start-task.ts';
import { outbound } from '../platform/outbound.ts';
import { stepFunctions } from '../platform/workflow.ts';
import type { PortFactories } from './context.ts';
import { operationLambda } from './operation-lambda.ts';
import type { OperationOf } from './operation-types.ts';

type Names = 'outbound' | 'workflow';

export const generationLambda = <Contract extends OperationContract>(
  contract: Contract,
  operation: OperationOf<Contract, Names>,
  ports: PortFactories<Names> = { outbound, workflow: stepFunctions },
) =>
  operationLambda<Contract, Names>(contract, operation, ports, {
    // The first caller may have died between the commit and the start; a running execution is left alone.
    onReplay: async ({ taskId }, context) => (taskId === undefined ? undefined : startTask(context, taskId)),
    // Both are cached; when they are stale, they are read while the token is checked.
    prefetch: ({ catalog, circuits }) => Promise.all([catalog.read(), circuits.read()]),
  });
