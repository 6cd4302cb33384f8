/** The service's functions as the local host runs them, and their routes. */
import * as functions from '../../functions/index.ts';
import { documentRoutes } from '../../shared/contracts/documents.ts';
import type { Definition } from '../../shared/runtime/context.ts';
import type { FullContext } from '../../shared/runtime/full-context.ts';
import { requestTimeoutSeconds, routes, type WorkerName, workerTimeoutSeconds } from '../hosting.ts';
import type { GatewayRoute } from './http-gateway/http-gateway.ts';
import type { LambdaFunction, LambdaHandler } from './lambda-host.ts';

export interface LocalFunction {
  readonly definition: Definition<unknown>;
  readonly timeoutSeconds: number;
}

export type LocalFunctions = Readonly<Record<string, LocalFunction>>;

const requestFunctions = {
  ...functions.operations,
  ...functions.dashboard,
  ...functions.operate,
  ...functions.navigations,
  ...functions.inbound,
  ...functions.documents,
};

const workers: Readonly<Record<WorkerName, Definition<unknown>>> = {
  ...functions.steps,
  ...functions.queueConsumers,
  ...functions.background,
};

const limited = (
  definitions: Readonly<Record<string, Definition<unknown>>>,
  timeoutSeconds: (name: string) => number,
): [string, LocalFunction][] =>
  Object.entries(definitions).map(([name, definition]) => [name, { definition, timeoutSeconds: timeoutSeconds(name) }]);

export const localFunctions: LocalFunctions = Object.fromEntries([
  ...limited(requestFunctions, () => requestTimeoutSeconds),
  ...limited(workers, (name) => workerTimeoutSeconds[name as WorkerName]),
]);

/** Functions bound to the context, ready to be called. */
export const bindFunctions = (
  context: FullContext,
  unbound: LocalFunctions = localFunctions,
): Readonly<Record<string, LambdaFunction>> =>
  Object.fromEntries(
    Object.entries(unbound).map(([name, { definition, timeoutSeconds }]) => [
      name,
      { handler: definition(context) as LambdaHandler, timeoutSeconds },
    ]),
  );

/** Wraps the handler of each function. */
export const wrapFunctions = (
  wrap: (name: string, handler: LambdaHandler) => LambdaHandler,
  unwrapped: LocalFunctions = localFunctions,
): LocalFunctions =>
  Object.fromEntries(
    Object.entries(unwrapped).map(([name, { definition, timeoutSeconds }]) => [
      name,
      { definition: (context) => wrap(name, definition(context) as LambdaHandler), timeoutSeconds },
    ]),
  );

export const localRoutes: readonly GatewayRoute[] = [
  ...routes,
  // The functions redirect all paths with a slash at the end, including these pages.
  ...(['getDocs', 'getVerify'] as const).map((functionName) => ({
    ...documentRoutes[functionName],
    path: `${documentRoutes[functionName].path}/`,
    functionName,
  })),
];
