/** Operators' acts on connected pages of social networks. */
import * as z from 'zod';
import { type Channel, channels } from '../../contracts/channels.ts';
import { id, oneOf } from '../../contracts/fields.ts';
import { connectionForms } from '../act-forms/connection-forms.ts';
import { isNetworkFault } from '../piloto/network-fault.ts';
import {
  ConnectionRefused,
  type ConnectNeeds,
  connectPage,
  disconnectPage,
  requestWork,
} from '../piloto/pages/connect-page.ts';
import type { Connection } from '../piloto/pages/connection.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';
import { act } from './act.ts';
import { aboutAccount, aboutPartOf, findAccount, missing } from './find-subject.ts';
import type { ActNeeds } from './perform-act.ts';

type Needs = ActNeeds & ConnectNeeds;

/** Turns errors that an operator can fix into rejections; `done` says what was done before. @throws {Rejection} */
async function expecting<Result>(work: () => Promise<Result>, done = ''): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConnectionRefused) throw new Rejection('invalid', { message: `${done}${error.message}` });
    if (!isNetworkFault(error)) throw error;
    const message = `${done}The network did not accept it (${error.reason}): ${error.message}.`;
    throw new Rejection('dependency-unavailable', { message });
  }
}

export interface PageToken {
  readonly channel: Channel;
  readonly accessToken: string;
}

export const addConnection = act({
  name: 'addConnection',
  role: 'admin',
  summary: 'Connect a page to an account with its token, or the two pages that the account has in the sandbox.',
  commits: 'in-steps',
  isForCommandLine: true,
  input: () => z.strictObject({ account: id(), network: oneOf(['sandbox', ...channels]) }),
  async find(
    needs: Needs & Pick<Stores, 'accounts'> & { readonly tokens: () => Promise<readonly PageToken[]> },
    { account },
  ) {
    await findAccount(needs, account);
    return { ...aboutAccount(account), state: await needs.tokens() };
  },
  after: ({ network }) => ({ network }),
  async perform(needs, { account: accountId, network: where }, { found }) {
    const connected: Connection[] = [];
    for (const token of found.state) {
      const network = where === 'sandbox' ? where : 'meta';
      const connect = () => connectPage(needs, { accountId, network, ...token });
      const done = connected.map(({ channel }) => `The ${channel} page is connected. `).join('');
      connected.push(await expecting(connect, done));
    }
    return { connected };
  },
  changed: ({ connected }) => ({ connected: connected.map(({ channel }) => channel) }),
});

async function findPage({ connections }: Needs, accountId: string, channel: Channel) {
  const state = await connections.find({ accountId, channel });
  if (!state) throw missing(`${channel} page connected to account ${accountId}`);
  return { ...aboutPartOf(accountId, `${channel} page`), before: { state: state.state }, state };
}

export const syncConnection = act({
  ...connectionForms.syncConnection,
  commits: 'in-steps',
  find: (needs: Needs, { account, channel }) => findPage(needs, account, channel),
  async perform(needs, _input, { found: { state: connection }, at }) {
    if (connection.state === 'erasing') {
      throw new Rejection('invalid', { message: 'The inbox of that page is being erased.' });
    }
    const due = { ...connection, run: undefined, fullySyncedAt: undefined, leasedUntil: undefined, dueAt: at };
    const saved = await needs.connections.save(due);
    if (!saved) throw new Rejection('in-progress', { message: 'The page is being synchronized: try again.' });
    await requestWork(needs, saved);
    return { connection: saved };
  },
  changed: () => ({ synchronization: 'requested' }),
});

export const removeConnection = act({
  ...connectionForms.removeConnection,
  commits: 'in-steps',
  find: (needs: Needs, { account, channel }) => findPage(needs, account, channel),
  async perform(needs, { account: accountId, channel }) {
    const ended = await expecting(() => disconnectPage(needs, { accountId, channel }));
    if (!ended) throw missing(`${channel} page connected to account ${accountId}`);
    return { connection: ended };
  },
  changed: ({ connection }) => ({ state: connection.state }),
});
