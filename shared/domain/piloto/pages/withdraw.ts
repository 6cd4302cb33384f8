/** Handles the request of a social network's user to disconnect pages and erase data, and reports the progress. */
import * as z from 'zod';
import { channels } from '../../../contracts/channels.ts';
import { once } from '../../../contracts/once.ts';
import type { SignedWithdrawal } from '../../../gateways/social-network.ts';
import type { Table } from '../../../platform/dynamo-table.ts';
import { erasureKey } from '../../inbox-keys.ts';
import { expiryAttribute } from '../../keys.ts';
import { parseRow } from '../../stored-row.ts';
import { type ConnectNeeds, disconnectPage } from './connect-page.ts';
import type { ConnectionStore } from './connection-store.ts';

/** How long the status of an erasure can be looked up. */
const keptDays = 90;

const Erasure = once(() =>
  z.object({
    requestedAt: z.int(),
    pages: z.array(z.object({ accountId: z.string(), channel: z.enum(channels) })),
  }),
);

/** A withdrawal of the user, or of the page that the user connected. */
export interface Withdrawal extends SignedWithdrawal {
  readonly confirmationCode: string;
}

/**
 * How much the service's clock may be ahead of the time of a withdrawal, which the social network states in seconds of
 * its own clock.
 */
const clocksDifferMs = 60_000;

/**
 * Disconnects the user's pages, and stores under a confirmation code which ones they were. A page that was connected
 * after the withdrawal is kept: anyone who has seen the signed request could send it again.
 */
export async function withdraw(
  needs: ConnectNeeds & { readonly table: Table },
  { userId, issuedAt = needs.clock.now(), confirmationCode }: Withdrawal,
): Promise<void> {
  const { clock, connections, table } = needs;
  const found = await Promise.all(
    channels.map(async (channel) =>
      (await connections.accountsOf(channel, userId)).map((accountId) => ({ accountId, channel })),
    ),
  );
  const connected = await Promise.all(
    found.flat().map(async (page) => ({ page, since: (await connections.find(page))?.connectedAt ?? 0 })),
  );
  const pages = connected.flatMap(({ page, since }) => (since <= issuedAt + clocksDifferMs ? page : []));
  const requestedAt = clock.now();
  const expiry = Math.ceil(requestedAt / 1000) + keptDays * 24 * 3600;
  await table.put({ Item: { ...erasureKey(confirmationCode), requestedAt, pages, [expiryAttribute]: expiry } });
  for (const page of pages) await disconnectPage(needs, page);
}

/** `nothing-found`: no page was connected by the user. */
export type ErasureState = 'erased' | 'erasing' | 'nothing-found';

/** The state of an erasure; undefined for an unknown code. */
export async function erasureState(
  { connections, table }: { readonly connections: ConnectionStore; readonly table: Table },
  confirmationCode: string,
): Promise<ErasureState | undefined> {
  const item = await table.get(erasureKey(confirmationCode));
  if (!item) return undefined;
  const { requestedAt, pages } = parseRow('erasure', Erasure(), item);
  if (pages.length === 0) return 'nothing-found';
  const found = await Promise.all(pages.map((page) => connections.find(page)));
  // A page that was connected again after the request does not count as unerased.
  const isErased = found.every((one) => !one || (one.state !== 'erasing' && one.connectedAt > requestedAt));
  return isErased ? 'erased' : 'erasing';
}
