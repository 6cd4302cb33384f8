/** The commands for connected pages. */

import { channels } from '../../shared/contracts/channels.ts';
import { isNetworkFault } from '../../shared/domain/piloto/network-fault.ts';
import {
  ConnectionRefused,
  type ConnectNeeds,
  connectPage,
  disconnectPage,
  requestWork,
} from '../../shared/domain/piloto/pages/connect-page.ts';
import type { Connection } from '../../shared/domain/piloto/pages/connection.ts';
import { type ConnectionStore, connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { readable, readableFinds } from '../../shared/domain/readable-rows.ts';
import type { Network } from '../../shared/gateways/social-network.ts';
import { socialNetwork } from '../../shared/gateways/social-networks.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { inboxQueue } from '../../shared/platform/queue.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import { accountId } from './account-commands.ts';
import { type Command, command, commandOnTarget, optional, required } from './command.ts';
import { commandFailed } from './exit-error.ts';
import { findAccount } from './find-account.ts';
import { redriveTo } from './redrive.ts';
import { sandboxTokens } from './sandbox-pages.ts';
import type { Service, Target } from './service.ts';
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

const time = (at: number | undefined): string | null => (at === undefined ? null : timestamp(at));

const summaryOf = ({ accountId: account, channel: of, network, pageId, name, username, ...rest }: Connection) => ({
  accountId: account,
  channel: of,
  network,
  pageId,
  name,
  username,
  state: rest.state,
  syncedAt: time(rest.syncedAt),
});

/** Omits the encrypted token. */
const detailsOf = (connection: Connection) => ({
  ...summaryOf(connection),
  connectedAt: timestamp(connection.connectedAt),
  tokenExpiresAt: time(connection.tokenExpiresAt),
  fullySyncedAt: time(connection.fullySyncedAt),
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

/** Turns errors that an operator can fix into messages; `done` says what was done before. @throws {ExitError} */
async function expecting<Result>(work: () => Promise<Result>, done = ''): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConnectionRefused) throw commandFailed(`${done}${error.message}`);
    if (isNetworkFault(error))
      throw commandFailed(`${done}The network did not accept it (${error.reason}): ${error.message}.`);
    throw error;
  }
}

/**
 * Reads the token from standard input, because an argument would be visible in the process list. @throws {ExitError}
 */
async function tokenFrom(input: Target['input']): Promise<string> {
  const token = (await input()).trim();
  if (/^[\x21-\x7e]{20,2000}$/.test(token)) return token;
  throw commandFailed('The page’s token on standard input must be one line of at least 20 visible characters.');
}

const add = commandOnTarget({
  name: 'add',
  summary:
    'Connect a page to an account, with its token on standard input; or the two pages that the account has in the sandbox.',
  options: {
    account: required(accountId, 'The account.'),
    network: required(oneOf('NETWORK', ['sandbox', ...channels]), 'Where the page is.'),
  },
  async run({ account, network: where }, target) {
    const service = await target.service();
    await findAccount(service, account);
    const network: Network = where === 'sandbox' ? where : 'meta';
    const grants =
      where === 'sandbox'
        ? await sandboxTokens(service, account)
        : [{ channel: where, accessToken: await tokenFrom(target.input) }];
    const connected: Connection[] = [];
    for (const grant of grants) {
      const connect = () => connectPage(needsOf(service), { accountId: account, network, ...grant });
      const done = connected.map(({ channel: of }) => `The ${of} page is connected. `).join('');
      connected.push(await expecting(connect, done));
    }
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

const sync = command({
  name: 'sync',
  summary: 'Compare the whole inbox of a page with its network now, in the background.',
  options: page,
  async run({ account, channel: of }, service) {
    const needs = needsOf(service);
    const connection = await needs.connections.find({ accountId: account, channel: of });
    if (!connection) throw missing(account, of);
    if (connection.state === 'erasing') throw commandFailed('The inbox of that page is being erased.');
    const due = { ...connection, run: undefined, fullySyncedAt: undefined, dueAt: service.clock.now() };
    const saved = await needs.connections.save({ ...due, leasedUntil: undefined });
    if (!saved) throw commandFailed('The page is being synchronized: try again.');
    await requestWork(needs, saved);
    return detailsOf(saved);
  },
});

const remove = command({
  name: 'remove',
  summary: 'Disconnect a page: its token is forgotten at once, and the copy of its inbox is erased within minutes.',
  options: page,
  async run({ account, channel: of }, service) {
    const ended = await expecting(() => disconnectPage(needsOf(service), { accountId: account, channel: of }));
    if (!ended) throw missing(account, of);
    return summaryOf(ended);
  },
});

export const connectionCommands: readonly Command[] = [add, list, show, sync, remove, redriveTo('queue of the inbox')];
