/** Which pages an account has connected: what it may read, and as which pages it may write. */
import type { OperationContract } from '../../../contracts/operation.ts';
import { requireAvailable } from '../../catalog/require-available.ts';
import { Rejection } from '../../rejection.ts';
import type { Stores } from '../../stores.ts';
import type { OwnedPage } from '../conversations/conversation.ts';
import type { Connection } from './connection.ts';
import { connectionStore } from './connection-store.ts';

export type PageNeeds = Pick<Stores, 'accounts' | 'catalog' | 'table'>;

type Contract = Pick<OperationContract, 'operationId' | 'feature'>;

export const connectionBroken = (): Rejection =>
  new Rejection('forbidden', {
    message: 'The connection of the page has expired or was revoked: connect it again.',
  });

const notConnected = (): Rejection =>
  new Rejection('forbidden', {
    message: 'No Instagram or Facebook page is connected: connect one to use the inbox.',
  });

/** The account's connections, read concurrently with other data. @throws {Rejection} switched-off, forbidden */
export async function withPages<Read>(
  needs: PageNeeds,
  contract: Contract,
  accountId: string,
  reading: Promise<Read>,
): Promise<{ readonly connections: readonly Connection[]; readonly read: Read }> {
  const [, all, read] = await Promise.all([
    requireAvailable(needs, contract, accountId),
    connectionStore(needs.table).of(accountId),
    reading,
  ]);
  const connections = all.filter(({ state }) => state !== 'erasing');
  if (connections.length === 0) throw notConnected();
  if (connections.every(({ state }) => state === 'revoked')) throw connectionBroken();
  return { connections, read };
}

/** The connection through which a page's content is changed. @throws {Rejection} forbidden */
export function writableConnection(
  connections: readonly Connection[],
  { channel, pageId }: Pick<OwnedPage, 'channel' | 'pageId'>,
): Connection {
  const connection = connections.find((one) => one.channel === channel && one.pageId === pageId);
  if (connection?.state !== 'connected') throw connectionBroken();
  return connection;
}
