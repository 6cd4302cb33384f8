/** Puts a counter of round trips between a running service and its database and state machines. */
import { operations } from '../functions/index.ts';
import { wrapFunctions } from '../infra/local/functions.ts';
import type { Service } from '../infra/local/host.ts';
import { createFullContext } from '../shared/runtime/full-context.ts';
import { startTripCounter, type TripCounter } from './trip-counter.ts';

/** Functions for a service without background work, so that every round trip belongs to a request. */
export const requestsAlone = wrapFunctions((name, handler) =>
  Object.hasOwn(operations, name) ? handler : async () => ({}),
);

/**
 * Routes the service's functions through a counter. The service's previous context still accesses the database
 * directly, for steps that must not be counted.
 */
export async function countTrips(
  { bind, context, environment }: Pick<Service, 'bind' | 'context' | 'environment'>,
  delayMs: number,
): Promise<TripCounter> {
  const { AWS_ENDPOINT_URL_DYNAMODB: database, AWS_ENDPOINT_URL_SFN: stateMachines } = environment;
  if (!database || !stateMachines) throw new Error('the service has no endpoints of its own');
  const counter = await startTripCounter({
    endpoints: { DynamoDB: database, 'Step Functions': stateMachines },
    delayMs,
  });
  const { clock, ids } = context;
  bind(createFullContext({ ...environment, ...counter.environment }, { clock, ids }));
  return counter;
}
