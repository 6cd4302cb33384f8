/** The proxies between the service and all other parties, at which a gate sees every request twice and can stop it. */
import type { LocalServer } from '../../support/local-server.ts';
import { type AwsService, awsCallOf } from '../faults/aws-call.ts';
import { type Exchange, type Outcome, proxy } from '../faults/proxy.ts';
import type { Moment, Passage, Place } from './passage.ts';

/** Whether a request passes; one that does not is never answered. `done` is false after an error response. */
export type Gate = (passage: Passage, moment: Moment, done: boolean) => boolean;

type Target = () => string | undefined;

function addressOf(target: Target): string {
  const address = target();
  if (address === undefined) throw new Error('the service has not yet published where its parts are');
  return address;
}

async function pass(
  { body, forward }: Exchange,
  { gate, operation, place, target }: { gate: Gate; operation: string; place: Place; target: Target },
): Promise<Outcome> {
  const passage = { place, operation, body: body.toString() };
  if (!gate(passage, 'before', true)) return 'silence';
  const reply = await forward(addressOf(target));
  return gate(passage, 'after', reply.status < 400) ? reply : 'silence';
}

/** The proxy before a party outside; `target` is its present address, undefined while it has none. */
export const tap = (place: Place, target: Target, gate: Gate): Promise<LocalServer> =>
  proxy((exchange) => {
    const { method, url } = exchange.incoming;
    return pass(exchange, { gate, operation: `${method} ${url}`, place, target });
  });

const placeOf = { DynamoDB: 'database', SQS: 'queue', S3: 'storage', 'Step Functions': 'workflow' } as const;

/** The proxy before all services of AWS. */
export const awsTap = (target: (service: AwsService) => string | undefined, gate: Gate): Promise<LocalServer> =>
  proxy((exchange) => {
    const { operation, service } = awsCallOf(exchange.incoming);
    return pass(exchange, { gate, operation, place: placeOf[service], target: () => target(service) });
  });

/** Is told by the service's functions when they are called (`/name/before`) and when they have returned (`/name/after`). */
export const functionTap = (gate: Gate): Promise<LocalServer> =>
  proxy(async ({ incoming, body }) => {
    const [, operation = '', moment] = (incoming.url ?? '').split('/');
    const passage: Passage = { place: 'function', operation, body: body.toString() };
    return gate(passage, moment === 'after' ? 'after' : 'before', true) ? { status: 204 } : 'silence';
  });

/** The constant address of the service, wherever its present process listens. */
export const frontDoor = (target: Target): Promise<LocalServer> => proxy(({ forward }) => forward(addressOf(target)));
