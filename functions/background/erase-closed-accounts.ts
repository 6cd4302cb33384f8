import { Tick } from '../../shared/contracts/workflow.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { advanceClosures, oldestOverdueSeconds } from '../../shared/domain/privacy/run-closures.ts';
import {
  accounts,
  cases,
  circuits,
  deletedTasks,
  engineJobs,
  orders,
  subscriptions,
  tasks,
  tokens,
} from '../../shared/domain/store-ports.ts';
import { clipEngines } from '../../shared/engines/clip-engines.ts';
import { identityUsers } from '../../shared/gateways/identity-provider.ts';
import { pixGateway } from '../../shared/gateways/pix-gateways.ts';
import { socialNetwork } from '../../shared/gateways/social-networks.ts';
import { subscriptionGateway } from '../../shared/gateways/subscription-gateways.ts';
import { objectEraser } from '../../shared/platform/object-eraser.ts';
import { inboxQueue, webhookQueue } from '../../shared/platform/queue.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import { tombstones } from '../../shared/platform/tombstones.ts';
import { workStorage } from '../../shared/platform/work-storage.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

/** How long one call works; the next one continues. */
const longestMs = 200_000;

const ports = {
  accounts,
  cases,
  circuits,
  deletedTasks,
  engineJobs,
  orders,
  subscriptions,
  tasks,
  tokens,
  engines: clipEngines,
  inboxQueue,
  objectEraser,
  pixGateway,
  queue: webhookQueue,
  secretBox: secretBoxOf,
  socialNetwork,
  subscriptionGateway,
  tombstones,
  users: identityUsers,
  work: workStorage,
  workflow: stepFunctions,
};

/** Settles what closed accounts have running, and erases those whose week is over. */
export const eraseClosedAccounts: Step<typeof Tick, keyof typeof ports> = async (_tick, context) => {
  const { clock, metrics, table } = context;
  const needs = { ...context, connections: connectionStore(table) };
  const counts = await advanceClosures(needs, clock.now() + longestMs);
  // Measured afterwards, so that it shows only what this call could not do.
  metrics.record({ OldestOverdueClosureAge: await oldestOverdueSeconds(needs) });
  return counts;
};

export const definition = stepLambda('eraseClosedAccounts', Tick, eraseClosedAccounts, ports);
