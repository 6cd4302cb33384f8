/** Proxies between the service and all other parties; a gate sees every call before and after, and can stop it. */
import type { LocalServer } from '../../support/local-server.ts';
import { type AwsService, awsCallOf } from '../faults/aws-call.ts';
import { type Exchange, type Outcome, proxy } from '../faults/proxy.ts';
import type { Moment, Party, ServiceCall } from './service-call.ts';

/** Whether a call passes; one that does not pass gets no response. `done` is false after an error response. */
export type Gate = (call: ServiceCall, moment: Moment, done: boolean) => boolean;

type Target = () => string | undefined;

function addressOf(target: Target): string {
  const address = target();
  if (address === undefined) throw new Error('the service has not yet published where its parts are');
  return address;
}

async function pass(
  { body, forward }: Exchange,
  { gate, operation, party, target }: { gate: Gate; operation: string; party: Party; target: Target },
): Promise<Outcome> {
  const call = { party, operation, body: body.toString() };
  if (!gate(call, 'before', true)) return 'silence';
  const reply = await forward(addressOf(target));
  return gate(call, 'after', reply.status < 400) ? reply : 'silence';
}

/** The proxy for an external party; `target` is its current URL, undefined while it has none. */
export const recordedProxy = (party: Party, target: Target, gate: Gate): Promise<LocalServer> =>
  proxy((exchange) => {
    const { method, url } = exchange.incoming;
    return pass(exchange, { gate, operation: `${method} ${url}`, party, target });
  });

const partyOf = { DynamoDB: 'database', SQS: 'queue', S3: 'storage', 'Step Functions': 'workflow' } as const;

/** The proxy for all AWS services. */
export const recordedAws = (target: (service: AwsService) => string | undefined, gate: Gate): Promise<LocalServer> =>
  proxy((exchange) => {
    const { operation, service } = awsCallOf(exchange.incoming);
    // Only the path identifies a file.
    const named = service === 'S3' ? `${operation} ${exchange.incoming.url}` : operation;
    return pass(exchange, { gate, operation: named, party: partyOf[service], target: () => target(service) });
  });

/** Receives the function invocations: `/name/before` when one begins, `/name/after` when it has returned. */
export const recordedFunctions = (gate: Gate): Promise<LocalServer> =>
  proxy(async ({ incoming, body }) => {
    const [, operation = '', moment] = (incoming.url ?? '').split('/');
    const call: ServiceCall = { party: 'function', operation, body: body.toString() };
    return gate(call, moment === 'after' ? 'after' : 'before', true) ? { status: 204 } : 'silence';
  });

/** A constant URL of the service, wherever its current process listens. */
export const stableAddress = (target: Target): Promise<LocalServer> =>
  proxy(({ forward }) => forward(addressOf(target)));
