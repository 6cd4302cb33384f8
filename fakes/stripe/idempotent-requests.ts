/** Handles idempotency keys: a repeated request gets the first response and changes nothing. */
import type { Reply } from '../api-server.ts';
import { StripeFault } from './stripe-fault.ts';
import type { StripeRecords } from './stripe-records.ts';

interface KeyedRequest {
  readonly key: string;
  readonly path: string;
  readonly form: string;
}

const longestKey = 255;

/**
 * Whether a response is not stored under the idempotency key: if a request fails before it changes anything, the client
 * can correct it and retry.
 */
export function onceFor(records: StripeRecords, { key, path, form }: KeyedRequest, work: () => Reply): Reply {
  if (key.length > longestKey) throw new StripeFault('Idempotency keys can be at most 255 characters long.');
  const id = `sandbox.key.${key}` as const;
  const before = records.find('sandbox.request', id);
  if (!before) {
    const { status, body } = work();
    if (status < 400) records.put({ object: 'sandbox.request', id, path, form, status, body });
    return { status, body };
  }
  if (before.path === path && before.form === form) {
    return { status: before.status, body: before.body, headers: { 'idempotent-replayed': 'true' } };
  }
  throw new StripeFault(
    `Keys for idempotent requests can only be used with the same ${before.path === path ? 'parameters' : 'endpoint'} they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    { type: 'idempotency_error' },
  );
}
