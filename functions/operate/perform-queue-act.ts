import type { ActOfGroup } from '../../shared/contracts/act-groups.ts';
import { operateContracts } from '../../shared/contracts/operate.ts';
import { redriveDeadLetters } from '../../shared/domain/operators/queue-acts.ts';
import { deadLetters } from '../../shared/platform/dead-letters.ts';
import type { With } from '../../shared/runtime/context.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';
import { type OfferedActs, offered, performRequestedAct } from '../../shared/runtime/perform-requested-act.ts';

const acts: OfferedActs<ActOfGroup<'queue'>, With<'deadLetters'>> = {
  redriveDeadLetters: offered(redriveDeadLetters),
};

/** Performs an act on a queue. */
export const performQueueAct: OperateOperation<'performQueueAct', 'deadLetters'> = (request, context) =>
  performRequestedAct(acts, request, context);

export const definition = operateLambda(operateContracts.performQueueAct, performQueueAct, { deadLetters });
