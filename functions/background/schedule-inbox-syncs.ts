import { Tick } from '../../shared/contracts/workflow.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { scheduleWork } from '../../shared/domain/piloto/synchronization/schedule-work.ts';
import { inboxQueue } from '../../shared/platform/queue.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

/** Enqueues the connections that are due, so that a lost event delays a change by minutes only. */
export const scheduleInboxSyncs: Step<typeof Tick, 'inboxQueue'> = (_tick, context) =>
  scheduleWork({ ...context, connections: connectionStore(context.table) });

export const definition = stepLambda('scheduleInboxSyncs', Tick, scheduleInboxSyncs, { inboxQueue });
