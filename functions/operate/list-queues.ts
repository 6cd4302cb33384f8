import { operateContracts } from '../../shared/contracts/operate.ts';
import { deadLetters } from '../../shared/platform/dead-letters.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Lists the queues with their numbers of messages and dead letters. */
export const listQueues: OperateOperation<'listQueues', 'deadLetters'> = async (_, context) => ({
  queues: await context.deadLetters.depths(),
});

export const definition = operateLambda(operateContracts.listQueues, listQueues, { deadLetters });
