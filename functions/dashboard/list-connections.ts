import { type Channel, channels } from '../../shared/contracts/channels.ts';
import {
  dashboardConnectionContracts,
  type ListedConnection,
  syncFaults,
} from '../../shared/contracts/dashboard-connections.ts';
import type { Connection } from '../../shared/domain/piloto/pages/connection.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { choicesOf, type PageChoice } from '../../shared/domain/piloto/pages/consent-store.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { accounts } from '../../shared/domain/store-ports.ts';
import { networkOf } from '../../shared/gateways/network-of.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Maps a fault to what owners see; its details are for operators. */
const faultOf = ({ fault, state }: Connection) =>
  fault === undefined || state === 'revoked' ? null : (syncFaults.find((one) => one === fault) ?? 'failed');

const kind = { kind: 'connection', idOf: ({ accountId, channel }: Connection) => `${accountId} ${channel}` };

const pageOf = (connection: Connection): ListedConnection['page'] => {
  const { connectedAt, name, run, state, syncedAt, username } = connection;
  return {
    name,
    username,
    state,
    connectedAt: timestamp(connectedAt),
    syncedAt: syncedAt === undefined ? null : timestamp(syncedAt),
    progress: run ? { found: run.found, synchronized: run.synchronized } : null,
    fault: faultOf(connection),
  };
};

const choiceOf = ({ pages, until }: PageChoice): ListedConnection['choice'] => ({
  pages: pages.map(({ pageId, name }) => ({ pageId, name })),
  until: timestamp(until),
});

/** Lists the pages that the account has connected, and those that its owner can choose from. */
export const listConnections: DashboardOperation<'listConnections', 'accounts'> = async ({ actor }, context) => {
  const { accounts, clock, settings, table } = context;
  const [account, connections, choices] = await Promise.all([
    accounts.find(actor.accountId),
    connectionStore(table).of(actor.accountId),
    choicesOf(table, actor.digest, clock.now()),
  ]);
  const listed = (channel: Channel): ListedConnection => {
    const connection = connections.find((one) => one.channel === channel);
    const choice = connection ? undefined : choices.get(channel);
    return {
      channel,
      isOffered: networkOf(channel, settings) !== undefined,
      page: connection ? (readable(table, kind, [connection], pageOf)[0] ?? null) : null,
      choice: choice ? choiceOf(choice) : null,
    };
  };
  return { isInPlan: account?.features.includes('piloto') ?? false, channels: channels.map(listed) };
};

export const definition = sessionLambda(dashboardConnectionContracts.listConnections, listConnections, { accounts });
