/** The service's functions as the local host runs them, and the routes that lead to them. */
import * as functions from '../../functions/index.ts';
import { inboundRoutes } from '../../shared/contracts/inbound.ts';
import { registry } from '../../shared/contracts/registry.ts';
import { wellKnownRoutes } from '../../shared/contracts/well-known.ts';
import type { GatewayRoute } from './http-gateway/http-gateway.ts';
import type { LambdaFunction, LambdaHandler } from './lambda-host.ts';

/** Below the gateway's own limit of 29 s. */
const httpSeconds = 28;
/** An attempt at a webhook takes ten seconds at most. */
const consumerSeconds = 15;
/** Below the time limits of their states. */
const stepSeconds = 50;
const backgroundSeconds = 300;

const limited = (handlers: Readonly<Record<string, unknown>>, timeoutSeconds: number) =>
  Object.entries(handlers).map(([name, handler]): [string, LambdaFunction] => [
    name,
    { handler: handler as LambdaHandler, timeoutSeconds },
  ]);

export const localFunctions: Readonly<Record<string, LambdaFunction>> = Object.fromEntries([
  ...limited(functions.operations, httpSeconds),
  ...limited(functions.inbound, httpSeconds),
  ...limited(functions.wellKnown, httpSeconds),
  ...limited(functions.queueConsumers, consumerSeconds),
  ...limited({ askEngine: functions.steps.askEngine }, stepSeconds),
  ...limited({ finalize: functions.steps.finalize }, backgroundSeconds),
  ...limited(functions.background, backgroundSeconds),
]);

const routesOf = (contracts: Readonly<Record<string, { method: string; path: string }>>): GatewayRoute[] =>
  Object.entries(contracts).map(([functionName, { method, path }]) => ({ method, path, functionName }));

export const localRoutes: readonly GatewayRoute[] = [registry, inboundRoutes, wellKnownRoutes].flatMap(routesOf);
