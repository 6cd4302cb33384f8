/** Why an attempt to deliver a webhook failed, in plain words. */
import type { Dictionary } from '../../language/en.ts';

type Reasons = Dictionary['webhooks']['reasons'];

interface Outcome {
  /** The HTTP status of the response, if there was one. */
  readonly statusCode?: number | null | undefined;
  /** The stored reason; null or absent if the webhook was delivered. */
  readonly error?: string | null | undefined;
}

function byStatus(status: number): keyof Reasons {
  if (status < 400) return 'redirect';
  if (status === 401 || status === 403) return 'denied';
  if (status === 404 || status === 405 || status === 410) return 'missing';
  if (status === 429) return 'busy';
  return status < 500 ? 'client' : 'server';
}

const isKnown = (error: string, reasons: Reasons): error is keyof Reasons => Object.hasOwn(reasons, error);

/** Undefined if the attempt did not fail; a reason that is unknown, because a newer service added it, is shown unchanged. */
export function deliveryReason({ error, statusCode }: Outcome, { webhooks }: Dictionary): string | undefined {
  if (error === null || error === undefined) return undefined;
  if (isKnown(error, webhooks.reasons)) return webhooks.reasons[error];
  return typeof statusCode === 'number' ? webhooks.reasons[byStatus(statusCode)] : error;
}
