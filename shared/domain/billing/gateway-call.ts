/**
 * Interprets the responses of payment gateways when an order is created: rejections, timeouts and invalid responses.
 */
import type { ChargeRefusal } from '../../gateways/pix-gateway.ts';
import type { Attempt } from '../idempotency/run-once.ts';
import { Rejection } from '../rejection.ts';

/** The error if the gateway did not respond, so it is unknown whether it has acted. */
class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** How soon the client may retry after the gateway did not respond. */
const gatewayRetrySeconds = 10;

const unavailable = (internal: string): Rejection =>
  new Rejection('dependency-unavailable', {
    message: 'The payment gateway is not available: wait for the number of seconds in Retry-After.',
    internal,
    retryAfterSeconds: gatewayRetrySeconds,
  });

/** Rejects a request whose key was used for another charge or checkout, which cannot be changed. */
export const outdated = (): Rejection =>
  new Rejection('other-body', {
    message: 'An unfinished request with this `Idempotency-Key` can no longer be completed: use another key.',
  });

const refused = ({ refusal, invalidField }: ChargeRefusal): Rejection =>
  invalidField === undefined
    ? unavailable(refusal)
    : new Rejection('invalid', { message: `${invalidField} is rejected by the payment gateway`, internal: refusal });

const notAsRequested = 'the payment gateway created something other than was requested';

/**
 * Returns what the gateway has created. @throws {Rejection} invalid, dependency-unavailable, other-body @throws
 * {Unanswered}
 */
export async function respondedBy<Made extends object>(
  call: Promise<Made | ChargeRefusal | { readonly refusal: string } | { readonly conflict: true }>,
  { isInherited }: Pick<Attempt, 'isInherited'>,
): Promise<Made> {
  const made = await call.catch((cause: unknown) => {
    throw new Unanswered('the payment gateway did not respond as documented', { cause });
  });
  if ('conflict' in made) throw isInherited ? outdated() : unavailable(notAsRequested);
  if ('refusal' in made) throw refused(made);
  return made;
}

/**
 * Rejects a charge or checkout whose content at the gateway differs from the request. Either an earlier request with
 * the key was for that content, or the gateway is at fault and what it created is withdrawn.
 * @throws {Rejection} dependency-unavailable, other-body
 * @throws {Unanswered} if it may still be payable
 */
export async function rejectOther(
  { isInherited }: Pick<Attempt, 'isInherited'>,
  withdraw: () => Promise<void>,
): Promise<never> {
  if (isInherited) throw outdated();
  await withdraw().catch((cause: unknown) => {
    throw new Unanswered(notAsRequested, { cause });
  });
  throw unavailable(notAsRequested);
}

/**
 * Withdraws a charge or checkout for which no order was stored. If that fails, the reconciliation withdraws it after
 * the order would have expired.
 */
export const withdrawOrLeave = (withdraw: Promise<void>): Promise<void> => withdraw.catch(() => undefined);

/**
 * Gives the client the same response as for a rejection by the gateway, although the idempotency key treats an
 * unanswered call differently.
 */
export function unavailableIfUnanswered(error: unknown): never {
  throw error instanceof Unanswered ? unavailable(String(error.cause)) : error;
}
