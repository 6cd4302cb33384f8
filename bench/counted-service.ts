/** Puts a trip counter between a running service and its database and state machines. */
import { operations } from '../functions/index.ts';
import { localFunctions } from '../infra/local/functions.ts';
import type { Service } from '../infra/local/host.ts';
import type { LambdaFunction } from '../infra/local/lambda-host.ts';
import { catalogKey } from '../shared/domain/keys.ts';
import { type Context, createContext, provideContext } from '../shared/runtime/context.ts';
import { startTripCounter, type TripCounter } from './trip-counter.ts';

const idle = ({ timeoutSeconds }: LambdaFunction): LambdaFunction => ({ timeoutSeconds, handler: async () => ({}) });

/** Functions for a service that answers requests and does nothing behind them, so that every trip is a request's. */
export const requestsAlone: Readonly<Record<string, LambdaFunction>> = Object.fromEntries(
  Object.entries(localFunctions).map(([name, found]) => [name, Object.hasOwn(operations, name) ? found : idle(found)]),
);

/** A client of the SDK reads the environment with its first request. */
const settleEndpoint = async ({ table }: Context): Promise<void> => {
  if (!(await table.answers(catalogKey('PLANS')))) throw new Error('the database does not answer');
};

/**
 * From now on the service's functions go through a counter. The context that the service had before still goes
 * straight to the database, for what a measurement needs without being part of it.
 */
export async function countTrips(
  { context, environment }: Pick<Service, 'context' | 'environment'>,
  delayMs: number,
): Promise<TripCounter> {
  const { AWS_ENDPOINT_URL_DYNAMODB: database, AWS_ENDPOINT_URL_SFN: stateMachines } = environment;
  if (!database || !stateMachines) throw new Error('the service has no endpoints of its own');
  await settleEndpoint(context);
  const counter = await startTripCounter({
    endpoints: { DynamoDB: database, 'Step Functions': stateMachines },
    delayMs,
  });
  Object.assign(process.env, counter.environment);
  const { clock, ids, settings } = context;
  const counted = { ...createContext(environment, { clock, ids }), settings };
  await settleEndpoint(counted);
  provideContext(counted);
  return counter;
}
