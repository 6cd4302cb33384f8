import { publicContracts } from '../../shared/contracts/public.ts';
import { catalogKey } from '../../shared/domain/keys.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { reachability } from '../../shared/platform/reachability.ts';
import { operationLambda } from '../../shared/runtime/operation-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

const verdict = (isReachable: boolean) => (isReachable ? 'ok' : 'failing');

/**
 * Checks every dependency. One that does not respond degrades the reported status, but not the response's HTTP status.
 */
export const getHealth: Operation<'getHealth', 'reachability'> = async (_request, context) => {
  const { database, storage, queue } = await context.reachability.check();
  return {
    status: database && storage && queue ? 'ok' : 'degraded',
    version: context.settings.version,
    time: timestamp(context.clock.now()),
    checks: { database: verdict(database), storage: verdict(storage), queue: verdict(queue) },
  };
};

export const definition = operationLambda(publicContracts.getHealth, getHealth, {
  reachability: ({ settings, clock, table }) =>
    reachability({ settings, clock, database: () => table.responds(catalogKey('plans')) }),
});
