import { dashboardConnectionContracts } from '../../shared/contracts/dashboard-connections.ts';
import { ConnectionRefused, disconnectPage } from '../../shared/domain/piloto/pages/connect-page.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { socialNetwork } from '../../shared/gateways/social-networks.ts';
import { inboxQueue } from '../../shared/platform/queue.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Disconnects the account's page of a channel. */
export const removeConnection: DashboardOperation<
  'removeConnection',
  'inboxQueue' | 'secretBox' | 'socialNetwork'
> = async ({ actor, fail, params: { channel } }, context) => {
  const needs = { ...context, connections: connectionStore(context.table) };
  const ended = await disconnectPage(needs, { accountId: actor.accountId, channel }).catch((error: unknown) => {
    if (error instanceof ConnectionRefused) return fail('CONNECTION_CHANGING');
    throw error;
  });
  return ended ? { channel } : fail('NOT_FOUND');
};

export const definition = sessionLambda(dashboardConnectionContracts.removeConnection, removeConnection, {
  inboxQueue,
  secretBox: secretBoxOf,
  socialNetwork,
});
