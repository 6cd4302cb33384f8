/** The commands for connected pages. */

import { channels } from '../../shared/contracts/channels.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import type { ConnectNeeds } from '../../shared/domain/piloto/pages/connect-page.ts';
import type { Connection } from '../../shared/domain/piloto/pages/connection.ts';
import { type ConnectionStore, connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { readable, readableFinds } from '../../shared/domain/readable-rows.ts';
import { socialNetwork } from '../../shared/gateways/social-networks.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { inboxQueue } from '../../shared/platform/queue.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import { accountId } from './account-kind.ts';
import { actCommand } from './act-command.ts';
import { type Command, command, optional, required } from './command.ts';
import { commandFailed } from './exit-error.ts';
import { findAccount } from './find-account.ts';
import { sandboxTokens } from './sandbox-pages.ts';
import type { Service, Target } from './service.ts';
import { timeOrNull } from './time-or-null.ts';
import { oneOf } from './value-kinds.ts';

const channel = oneOf('CHANNEL', channels);

type Needs = Service & ConnectNeeds;

const needsOf = (service: Service): Needs => ({
  ...service,
  connections: connectionStore(service.table),
  inboxQueue: inboxQueue(service),
  secretBox: secretBoxOf(service),
  socialNetwork: socialNetwork(service),
});

const summaryOf = ({ accountId: account, channel: of, network, pageId, name, username, ...rest }: Connection) => ({
  accountId: account,
  channel: of,
  network,
  pageId,
  name,
  username,
  state: rest.state,
  syncedAt: timeOrNull(rest.syncedAt),
});

/** Omits the encrypted token. */
const detailsOf = (connection: Connection) => ({
  ...summaryOf(connection),
  connectedAt: timestamp(connection.connectedAt),
  tokenExpiresAt: timeOrNull(connection.tokenExpiresAt),
  fullySyncedAt: timeOrNull(connection.fullySyncedAt),
  nextAt: timestamp(connection.dueAt),
  fault: connection.fault ?? null,
  progress: connection.run
    ? {
        mode: connection.run.mode,
        phase: connection.run.phase,
        found: connection.run.found,
        synchronized: connection.run.synchronized,
      }
    : null,
});

/**
 * Reads the token from standard input, because an argument would be visible in the process list. @throws {ExitError}
 */
async function tokenFrom(input: Target['input']): Promise<string> {
  const token = (await input()).trim();
  if (/^[\x21-\x7e]{20,2000}$/.test(token)) return token;
  throw commandFailed('The page’s token on standard input must be one line of at least 20 visible characters.');
}

const add = actCommand(acts.addConnection, {
  name: 'add',
  summary:
    'Connect a page to an account, with its token on standard input; or the two pages that the account has in the sandbox.',
  options: {
    account: required(accountId, 'The account.'),
    network: required(oneOf('NETWORK', ['sandbox', ...channels]), 'Where the page is.'),
  },
  async run({ account, network }, { connect, perform, target }) {
    const service = await connect();
    const tokens = async () =>
      network === 'sandbox'
        ? sandboxTokens(service, account)
        : [{ channel: network, accessToken: await tokenFrom(target.input) }];
    const { connected } = await perform(service, { ...needsOf(service), tokens }, { account, network });
    return { connections: connected.map(summaryOf) };
  },
  rows: ({ connections }) => connections,
  whenEmpty: 'Nothing was connected.',
});

async function everyOne(connections: ConnectionStore, rows: Service['table']): Promise<Connection[]> {
  const found: Connection[] = [];
  for await (const id of connections.all()) {
    found.push(...(await readableFinds(rows, kind, [id], (one) => connections.find(one))));
  }
  return found;
}

const kind = {
  kind: 'connection',
  idOf: (one: Pick<Connection, 'accountId' | 'channel'>) => `${one.accountId} ${one.channel}`,
};

const byAccountAndChannel = (one: Connection, other: Connection): number =>
  one.accountId.localeCompare(other.accountId) || channels.indexOf(one.channel) - channels.indexOf(other.channel);

const list = command({
  name: 'list',
  summary: 'List the connected pages of an account, or of all accounts.',
  options: { account: optional(accountId, 'The account; by default all.') },
  async run({ account }, service) {
    const connections = connectionStore(service.table);
    if (account !== undefined) await findAccount(service, account);
    const found = account === undefined ? await everyOne(connections, service.table) : await connections.of(account);
    return { connections: readable(service.table, kind, found.toSorted(byAccountAndChannel), summaryOf) };
  },
  rows: ({ connections }) => connections,
  whenEmpty: 'No page is connected.',
});

const page = { account: required(accountId, 'The account.'), channel: required(channel, 'Of the page.') };

/** The error for a missing connection. @throws {ExitError} */
const missing = (account: string, of: string) => commandFailed(`Account ${account} has no ${of} page connected.`);

const show = command({
  name: 'show',
  summary: 'Show a connected page, its next synchronization and how far the current one is.',
  options: page,
  async run({ account, channel: of }, service) {
    const connection = await connectionStore(service.table).find({ accountId: account, channel: of });
    if (!connection) throw missing(account, of);
    return detailsOf(connection);
  },
});

const sync = actCommand(acts.syncConnection, {
  name: 'sync',
  summary: 'Compare the whole inbox of a page with its network now, in the background.',
  options: page,
  async run({ account, channel: of }, { connect, perform }) {
    const service = await connect();
    return detailsOf((await perform(service, needsOf(service), { account, channel: of })).connection);
  },
});

const remove = actCommand(acts.removeConnection, {
  name: 'remove',
  summary: 'Disconnect a page: its token is forgotten at once, and the copy of its inbox is erased within minutes.',
  options: page,
  async run({ account, channel: of }, { connect, perform }) {
    const service = await connect();
    return summaryOf((await perform(service, needsOf(service), { account, channel: of })).connection);
  },
});

export const connectionCommands: readonly Command[] = [add, list, show, sync, remove];
