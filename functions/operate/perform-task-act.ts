import type { ActOfGroup } from '../../shared/contracts/act-groups.ts';
import { operateContracts } from '../../shared/contracts/operate.ts';
import { failTask, redeliverWebhook } from '../../shared/domain/operators/task-acts.ts';
import { circuits, engineJobs, tasks } from '../../shared/domain/store-ports.ts';
import { clipEngines } from '../../shared/engines/clip-engines.ts';
import { webhookQueue } from '../../shared/platform/queue.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import type { With } from '../../shared/runtime/context.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';
import { type OfferedActs, offered, performRequestedAct } from '../../shared/runtime/perform-requested-act.ts';

type Ports = 'circuits' | 'engineJobs' | 'engines' | 'queue' | 'tasks' | 'workflow';

const acts: OfferedActs<ActOfGroup<'task'>, With<Ports>> = {
  failTask: offered(failTask),
  redeliverWebhook: offered(redeliverWebhook),
};

/** Performs an act on a task or its webhook. */
export const performTaskAct: OperateOperation<'performTaskAct', Ports> = (request, context) =>
  performRequestedAct(acts, request, context);

export const definition = operateLambda(operateContracts.performTaskAct, performTaskAct, {
  circuits,
  engineJobs,
  tasks,
  engines: clipEngines,
  queue: webhookQueue,
  workflow: stepFunctions,
});
