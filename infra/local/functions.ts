/** The service's functions as the local host runs them, and the routes that lead to them. */
import * as functions from '../../functions/index.ts';
import { requestTimeoutSeconds, routes, type WorkerName, workerTimeoutSeconds } from '../hosting.ts';
import type { GatewayRoute } from './http-gateway/http-gateway.ts';
import type { LambdaFunction, LambdaHandler } from './lambda-host.ts';

const requestHandlers = { ...functions.operations, ...functions.inbound, ...functions.wellKnown };

const workers: Readonly<Record<WorkerName, unknown>> = {
  ...functions.steps,
  ...functions.queueConsumers,
  ...functions.background,
};

const limited = (
  handlers: Readonly<Record<string, unknown>>,
  timeoutSeconds: (name: string) => number,
): [string, LambdaFunction][] =>
  Object.entries(handlers).map(([name, handler]) => [
    name,
    { handler: handler as LambdaHandler, timeoutSeconds: timeoutSeconds(name) },
  ]);

export const localFunctions: Readonly<Record<string, LambdaFunction>> = Object.fromEntries([
  ...limited(requestHandlers, () => requestTimeoutSeconds),
  ...limited(workers, (name) => workerTimeoutSeconds[name as WorkerName]),
]);

export const localRoutes: readonly GatewayRoute[] = routes;
