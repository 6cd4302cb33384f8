import { operateContracts } from '../../shared/contracts/operate.ts';
import { presentDeadLetters } from '../../shared/domain/operator-reads/present-dead-letters.ts';
import { deadLetters } from '../../shared/platform/dead-letters.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Lists some dead letters of a queue. */
export const listDeadLetters: OperateOperation<'listDeadLetters', 'deadLetters'> = async ({ params }, context) => ({
  deadLetters: presentDeadLetters(await context.deadLetters.look(params.queue)),
});

export const definition = operateLambda(operateContracts.listDeadLetters, listDeadLetters, { deadLetters });
