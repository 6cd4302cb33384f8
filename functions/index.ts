/** The table of contents: which file implements which operation, route, step and schedule. */
import type { inboundRoutes } from '../shared/contracts/inbound.ts';
import type { OperationId } from '../shared/contracts/registry.ts';
import type { wellKnownRoutes } from '../shared/contracts/well-known.ts';
import type { DocumentHandler } from '../shared/runtime/document-lambda.ts';
import type { HttpHandler } from '../shared/runtime/http-lambda.ts';
import type { InboundHandler } from '../shared/runtime/inbound-lambda.ts';
import type { QueueHandler } from '../shared/runtime/queue-lambda.ts';
import type { StepHandler } from '../shared/runtime/step-lambda.ts';
import { handler as getProfile } from './account/get-profile.ts';
import { handler as listCreditHistory } from './account/list-credit-history.ts';
import { handler as auditLedger } from './background/audit-ledger.ts';
import { handler as deliverWebhook } from './background/deliver-webhook.ts';
import { handler as sweepTasks } from './background/sweep-tasks.ts';
import { handler as editImage } from './generate/edit-image.ts';
import { handler as enhanceSkin } from './generate/enhance-skin.ts';
import { handler as generateImage } from './generate/generate-image.ts';
import { handler as generateInfluencer } from './generate/generate-influencer.ts';
import { handler as generateVoice } from './generate/generate-voice.ts';
import { handler as removeBackground } from './generate/remove-background.ts';
import { handler as replaceCharacter } from './generate/replace-character.ts';
import { handler as upscaleImage } from './generate/upscale-image.ts';
import { handler as receiveEngineCallback } from './inbound/receive-engine-callback.ts';
import { handler as getHealth } from './public/get-health.ts';
import { handler as listPlans } from './public/list-plans.ts';
import { handler as cancelTask } from './tasks/cancel-task.ts';
import { handler as getTask } from './tasks/get-task.ts';
import { handler as listTasks } from './tasks/list-tasks.ts';
import { handler as listWebhookKeys } from './well-known/list-webhook-keys.ts';
import { handler as askEngine } from './workflow/ask-engine.ts';
import { handler as finalize } from './workflow/finalize.ts';
import { handler as settleExecution } from './workflow/settle-execution.ts';

export const operations: Readonly<Record<OperationId, HttpHandler>> = {
  listPlans,
  getHealth,
  getProfile,
  listCreditHistory,
  listTasks,
  getTask,
  cancelTask,
  generateImage,
  editImage,
  replaceCharacter,
  removeBackground,
  upscaleImage,
  generateInfluencer,
  enhanceSkin,
  generateVoice,
};

export const inbound: Readonly<Record<keyof typeof inboundRoutes, InboundHandler>> = {
  receiveEngineCallback,
};

export const wellKnown: Readonly<Record<keyof typeof wellKnownRoutes, DocumentHandler>> = { listWebhookKeys };

/** Steps of the state machine, by the names that its definition has for them. */
export const steps = { askEngine, finalize } as const satisfies Record<string, StepHandler>;

export const queueConsumers = { deliverWebhook } as const satisfies Record<string, QueueHandler>;

/** What is called by time and by events. */
export const background = { settleExecution, sweepTasks, auditLedger } as const satisfies Record<string, StepHandler>;
