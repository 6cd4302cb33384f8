/** For each error code, what a client should do next. */
import type { ErrorCode } from '../errors.ts';

interface Retry {
  /** Whether the same request can succeed later; in one case only if the response has `Retry-After`. */
  readonly retry: 'yes' | 'no' | 'with Retry-After';
  /** Whether to retry with the same `Idempotency-Key`. */
  readonly key: 'same' | 'any';
  readonly advice: string;
}

const correct = { retry: 'no', key: 'any' } as const;
const backOff = '1 s, then twice as long each time up to 60 s, with random jitter';

/** A record over all codes: a new code does not compile without retry advice. */
export const retries: Readonly<Record<ErrorCode, Retry>> = {
  VALIDATION_ERROR: {
    ...correct,
    advice:
      'Correct the request. `imitateVideo` and `changeVoice` also respond with it when a file cannot be downloaded: send the same request again once it can be.',
  },
  UNAUTHORIZED: { ...correct, advice: 'Check the token.' },
  INSUFFICIENT_CREDITS: {
    ...correct,
    advice: 'Buy credits, or raise the monthly cap of the token, then send the request again.',
  },
  FORBIDDEN: { ...correct, advice: 'Use a token with the scope, or a plan with the feature.' },
  NOT_FOUND: { ...correct, advice: 'Check the id and the path.' },
  IDEMPOTENCY_CONFLICT: {
    retry: 'with Retry-After',
    key: 'same',
    advice:
      'Wait for `Retry-After`, then repeat the request with the same key. Without it, send the body of the first request again, or use another key.',
  },
  SUBSCRIPTION_ALREADY_ACTIVE: { ...correct, advice: 'Read the subscription: it has already been paid.' },
  TOO_MANY_OPEN_ORDERS: { ...correct, advice: 'Pay one of the orders, or wait until one expires.' },
  TASK_NOT_CANCELABLE: { ...correct, advice: 'Read the task: it has ended.' },
  WEBHOOK_NOT_DELIVERABLE: {
    ...correct,
    advice:
      'Wait until the task has ended and its `webhook.status` is no longer `pending`. A task without `webhook` has none: poll it.',
  },
  REPLY_WINDOW_CLOSED: { ...correct, advice: 'Wait until the participant writes again.' },
  RATE_LIMITED: { retry: 'yes', key: 'same', advice: 'Wait for `Retry-After`.' },
  MAX_CONCURRENT_TASKS: { retry: 'yes', key: 'same', advice: 'Wait for `Retry-After`, or until a task has ended.' },
  INTERNAL_ERROR: { retry: 'yes', key: 'same', advice: `Wait ${backOff}.` },
  DOWNLOAD_FAILED: {
    retry: 'yes',
    key: 'same',
    advice: `Only of \`generateCortes\`: make sure that the video can be downloaded without signing in. Wait ${backOff}, and give up after 5 attempts.`,
  },
  GENERATION_FAILED: {
    retry: 'yes',
    key: 'same',
    advice: `Wait ${backOff}, and give up after 5 attempts. Before each retry of \`generateStudioVideo\`, check that the mode, product and avatar exist; of \`createStudioProduct\`, that its images can be downloaded and used.`,
  },
  FEATURE_DISABLED: { retry: 'yes', key: 'same', advice: 'Wait for `Retry-After`.' },
  PROVIDER_UNAVAILABLE: { retry: 'yes', key: 'same', advice: `Wait for \`Retry-After\`; without it, wait ${backOff}.` },
};
