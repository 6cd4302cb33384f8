/** What went wrong, in words that say what to do. */
import { ApiError } from '../api/api-error.ts';
import type { Dictionary } from '../language/en.ts';

/** Validation errors name the field and what it accepts: they are shown as the service wrote them. */
export function failureText(error: unknown, { failures }: Dictionary): string {
  if (!(error instanceof ApiError)) return failures.server;
  if (error.code === 'NETWORK') return failures.network;
  const known: Readonly<Record<string, string>> = failures.codes;
  if (Object.hasOwn(known, error.code)) return known[error.code] ?? error.message;
  if (error.status === 429) return failures.rateLimited(Math.max(1, error.retryAfterSeconds));
  if (error.status === 404) return failures.notFound;
  if (error.status === 403) return failures.forbidden;
  if (error.status === 503) return failures.busy;
  return error.status >= 500 ? failures.server : error.message;
}

/** Of what is bought: what does not respond is this service or the payment provider, and neither charged anything. */
export function purchaseFailureText(error: unknown, text: Dictionary): string {
  const isUnavailable = error instanceof ApiError && error.code === 'PROVIDER_UNAVAILABLE';
  return isUnavailable ? text.billing.unavailable : failureText(error, text);
}
