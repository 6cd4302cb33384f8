/** Every error code that a client of the API or the dashboard can receive, with its HTTP status. */
import {
  activeTokensLimit,
  daysBetweenReopenings,
  observationDays,
  openOrdersLimit,
  requestsPerMinute,
  simultaneousTasks,
} from './limits.ts';

export const errors = {
  VALIDATION_ERROR: {
    status: 400,
    description: 'Invalid or missing fields; the message names each field and what it accepts.',
  },
  UNAUTHORIZED: { status: 401, description: 'Token missing, malformed, unknown, expired or revoked.' },
  INSUFFICIENT_CREDITS: {
    status: 402,
    description: 'The balance, or what the token may still spend this month, is lower than the cost.',
  },
  FORBIDDEN: { status: 403, description: 'The token lacks the scope, or the plan lacks the feature.' },
  NOT_FOUND: { status: 404, description: 'Not found: it does not exist, or belongs to another account.' },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    description:
      'The first request with this `Idempotency-Key` is still in progress, or did not finish and had a different body.',
  },
  SUBSCRIPTION_ALREADY_ACTIVE: {
    status: 409,
    description: 'The account already has a subscription that is active or past due.',
  },
  TOO_MANY_OPEN_ORDERS: {
    status: 409,
    description: `The account has ${openOrdersLimit} unpaid orders or open checkouts: pay one of them, or wait until one expires.`,
  },
  TASK_NOT_CANCELABLE: { status: 409, description: 'The task is already completed or failed.' },
  WEBHOOK_NOT_DELIVERABLE: {
    status: 409,
    description: 'The task has no `callbackUrl`, has not ended, or its webhook is still being delivered.',
  },
  REPLY_WINDOW_CLOSED: {
    status: 409,
    description: 'The network lets the page write only for a limited time after the participant’s last message.',
  },
  RATE_LIMITED: {
    status: 429,
    description: `The token made more than ${requestsPerMinute} requests in 60 seconds: wait for the number of seconds in Retry-After.`,
  },
  MAX_CONCURRENT_TASKS: {
    status: 429,
    description: `The account already has ${simultaneousTasks} open tasks; or the price depends on the duration of a file, one such task is open, and a task of the account counted as longer than what was paid for in the last ${observationDays} days.`,
  },
  INTERNAL_ERROR: {
    status: 500,
    description: 'Internal error. With an `Idempotency-Key` the request can safely be repeated.',
  },
  DOWNLOAD_FAILED: { status: 502, description: 'The video could not be downloaded.' },
  GENERATION_FAILED: {
    status: 502,
    description:
      'The generation could not be started, a text could not be generated, or the Studio product, avatar or mode does not exist.',
  },
  FEATURE_DISABLED: { status: 503, description: 'The feature is temporarily switched off.' },
  PROVIDER_UNAVAILABLE: {
    status: 503,
    description: 'The operation is switched off, its engine or payment gateway is down, or the service is overloaded.',
  },
} as const;

/** An error code of the API. */
export type ErrorCode = keyof typeof errors;

/** Error codes that only dashboard operations respond with. */
const dashboardErrors = {
  CONFIRMATION_REQUIRED: {
    status: 403,
    description: 'Confirm who you are: log in again.',
  },
  WRONG_PASSWORD: { status: 403, description: 'The password is wrong.' },
  TOO_MANY_TOKENS: { status: 409, description: `The account already has ${activeTokensLimit} active tokens.` },
  CLOSURE_FINAL: {
    status: 409,
    description: `The account cannot be opened by its owner: its time is over, an operator has closed it, or the owner has opened it before in the last ${daysBetweenReopenings} days.`,
  },
  CONNECTION_ERASING: {
    status: 409,
    description: 'The inbox of the page that was connected before is still being erased: try again in a few minutes.',
  },
  OTHER_PAGE_CONNECTED: {
    status: 409,
    description: 'Another page of this network is connected: disconnect it first.',
  },
  PAGE_OF_OTHER_ACCOUNT: { status: 409, description: 'The page is connected to another account.' },
  CONNECTION_CHANGING: { status: 409, description: 'The connection is being changed: try again.' },
  ACCESS_REJECTED: {
    status: 409,
    description: 'The network no longer accepts the access that you granted: connect the page again.',
  },
} as const;

export const allErrors = { ...errors, ...dashboardErrors } as const;

/** An error code of the API or the dashboard. */
export type AnyErrorCode = keyof typeof allErrors;

/** The error codes of failed tasks and of `task.failed` webhooks, with what each means. */
export const taskErrors = {
  PROVIDER_ERROR: 'The generation engine failed.',
  PROVIDER_TIMEOUT: 'The generation engine did not finish in time.',
  CONTENT_REJECTED: 'The content was rejected by the safety filter.',
  DOWNLOAD_FAILED: 'An input could not be downloaded.',
  INPUT_INVALID: 'An input cannot be used.',
  CANCELED: 'The task was canceled.',
  INTERNAL_ERROR: 'An internal error ended the task.',
} as const;

export type TaskErrorCode = keyof typeof taskErrors;

/**
 * The message of a failed task: its detail or the meaning of its code, followed by the refund that every failure gets.
 */
export const failureMessage = (code: TaskErrorCode, detail: string = taskErrors[code]): string =>
  `${detail}${detail.endsWith('.') ? '' : '.'} The credits were refunded.`;

export const taskErrorCodes = Object.keys(taskErrors) as [TaskErrorCode, ...TaskErrorCode[]];
