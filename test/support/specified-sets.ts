/** The closed sets of the specification, typed from its text and never derived from the code. */

import { words } from './specified-operation.ts';

/** Length limits in Unicode code points. */
export const idempotencyKeyLengths = { from: 1, to: 128 };

export const aspectRatios = ['1:1', '16:9', '9:16', '4:3', '3:4', '21:9'];

export const taskStatuses = ['pending', 'submitted', 'processing', 'completed', 'failed'];

/**
 * The allowed keys by which usage can be grouped, one or two at a time; from the supplement, except `clientReference`.
 */
export const usageGroupings = words(
  'day taskType token day,taskType day,token taskType,day taskType,token token,day token,taskType',
);

/** The states of orders, from the supplement. */
export const orderStatuses = ['pending', 'paid', 'expired', 'canceled', 'failed', 'refunded'];

export const voiceSlugs = words(`
  aria roger sarah laura charlie george callum river liam charlotte alice matilda will jessica eric chris
  brian daniel lily bill
`);

/** Every error code of the specification and its supplement, even if no operation declares it yet. */
export const errorStatuses: Readonly<Record<string, number>> = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  INSUFFICIENT_CREDITS: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  SUBSCRIPTION_ALREADY_ACTIVE: 409,
  IDEMPOTENCY_CONFLICT: 409,
  TASK_NOT_CANCELABLE: 409,
  WEBHOOK_NOT_DELIVERABLE: 409,
  REPLY_WINDOW_CLOSED: 409,
  TOO_MANY_OPEN_ORDERS: 409,
  RATE_LIMITED: 429,
  MAX_CONCURRENT_TASKS: 429,
  INTERNAL_ERROR: 500,
  GENERATION_FAILED: 502,
  DOWNLOAD_FAILED: 502,
  PROVIDER_UNAVAILABLE: 503,
  FEATURE_DISABLED: 503,
};

export const taskErrorCodes = words(
  'PROVIDER_ERROR PROVIDER_TIMEOUT CONTENT_REJECTED DOWNLOAD_FAILED INPUT_INVALID CANCELED INTERNAL_ERROR',
);

export const scopes = words(`
  read:profile read:usage read:tasks read:subscriptions read:orders generate:image generate:video
  generate:audio create:credits create:subscriptions read:piloto write:piloto
`);

/** The fields of each event, in the order in which they are sent; `test` is only in those of test tokens. */
export const webhookFields = {
  'task.completed': ['event', 'taskId', 'status', 'resultUrl', 'creditsUsed', 'timestamp', 'test'],
  'task.failed': ['event', 'taskId', 'status', 'error', 'timestamp', 'test'],
};
