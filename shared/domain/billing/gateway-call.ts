/** What creating an order has in common at all payment gateways: what it means that one refuses, or does not respond. */
import type { ChargeRefusal } from '../../gateways/pix-gateway.ts';
import { Rejection } from '../rejection.ts';

/** What the gateway has done is unknown. */
class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** How long it may take until a gateway responds again. */
const gatewayRetrySeconds = 10;

const unavailable = (internal: string): Rejection =>
  new Rejection('engine-unavailable', {
    message: 'The payment gateway is not available: wait for the number of seconds in Retry-After.',
    internal,
    retryAfterSeconds: gatewayRetrySeconds,
  });

/** What an unfinished request made at the gateway cannot become what this one asks for. */
export const outdated = (): Rejection =>
  new Rejection('other-body', {
    message: 'An unfinished request with this `Idempotency-Key` can no longer be completed: use another key.',
  });

const refused = ({ refusal, invalidField }: ChargeRefusal): Rejection =>
  invalidField === undefined
    ? unavailable(refusal)
    : new Rejection('invalid', { message: `${invalidField} is rejected by the payment gateway`, internal: refusal });

/** What the gateway has made. @throws {Rejection} invalid, engine-unavailable, other-body @throws {Unanswered} */
export async function respondedBy<Made extends object>(
  call: Promise<Made | ChargeRefusal | { readonly refusal: string } | { readonly conflict: true }>,
): Promise<Made> {
  const made = await call.catch((cause: unknown) => {
    throw new Unanswered('the payment gateway did not respond as documented', { cause });
  });
  if ('conflict' in made) throw outdated();
  if ('refusal' in made) throw refused(made);
  return made;
}

/** To the client it is the same whether the gateway refuses or does not respond; to the idempotency key it is not. */
export function unavailableIfUnanswered(error: unknown): never {
  throw error instanceof Unanswered ? unavailable(String(error.cause)) : error;
}
