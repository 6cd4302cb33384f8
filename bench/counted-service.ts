/** Puts a trip counter between a running service and its database and state machines. */
import { operations } from '../functions/index.ts';
import { wrapFunctions } from '../infra/local/functions.ts';
import type { Service } from '../infra/local/host.ts';
import { createContext } from '../shared/runtime/context.ts';
import { startTripCounter, type TripCounter } from './trip-counter.ts';

/** Functions for a service that answers requests and does nothing behind them, so that every trip is a request's. */
export const requestsAlone = wrapFunctions((name, handler) =>
  Object.hasOwn(operations, name) ? handler : async () => ({}),
);

/**
 * From now on the service's functions go through a counter. The context that the service had before still goes
 * straight to the database, for what a measurement needs without being part of it.
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
  bind(createContext({ ...environment, ...counter.environment }, { clock, ids }));
  return counter;
}
