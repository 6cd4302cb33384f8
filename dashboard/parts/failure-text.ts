/** Error messages that tell users what to do. */
import { ApiError } from '../api/api-error.ts';
import { viewId } from '../api/view.ts';
import type { Dictionary } from '../language/en.ts';

/** A session's rate limit lasts a minute; other limits, such as that of cancels, last up to a day. */
function limitText(seconds: number, { failures }: Dictionary): string {
  if (seconds <= 60) return failures.rateLimited(Math.max(1, seconds));
  return failures.limited(seconds < 2 * 3600 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`);
}

/** The message for an error. Validation errors name the field and what it accepts, so they are shown as received. */
export function failureText(error: unknown, text: Dictionary): string {
  const { failures } = text;
  if (!(error instanceof ApiError)) return failures.server;
  if (error.code === 'NETWORK') return failures.network;
  const known: Readonly<Record<string, string>> = failures.codes;
  if (Object.hasOwn(known, error.code)) return known[error.code] ?? error.message;
  if (error.status === 429) return limitText(error.retryAfterSeconds, text);
  if (error.status === 404) return failures.notFound;
  if (error.status === 403) return viewId === undefined ? failures.forbidden : text.view.refused;
  if (error.status === 503) return failures.busy;
  return error.status >= 500 ? failures.server : error.message;
}

/** The message for a failed purchase: if this service or the payment provider does not respond, nothing was charged. */
export function purchaseFailureText(error: unknown, text: Dictionary): string {
  const isUnavailable = error instanceof ApiError && error.code === 'PROVIDER_UNAVAILABLE';
  return isUnavailable ? text.billing.unavailable : failureText(error, text);
}
