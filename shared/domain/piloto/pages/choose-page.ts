/** Connects one of several pages to which an owner has granted access. */

import { whileLive } from '../../sessions/session-store.ts';
import { type ConsentNeeds, networkLimitMs, type Owner } from './complete-consent.ts';
import { connectPage } from './connect-page.ts';
import { belongingOf } from './connection.ts';
import { findConsent, forgetChoice } from './consent-store.ts';

type Needs = Omit<ConsentNeeds, 'socialLogin'>;

/**
 * Connects the chosen page. The choice is kept until a page is connected, so that it can be repeated if the social
 * network is down; false if there is no such choice.
 * @throws {ConnectionRefused}, {NetworkFault}, {Rejection} unauthenticated
 */
export async function choosePage(needs: Needs, owner: Owner, pageId: string): Promise<boolean> {
  const { clock, secretBox, table } = needs;
  const { accountId, channel } = owner;
  const consent = await findConsent(table, owner, clock.now());
  const choice = consent?.choice;
  const page = choice?.pages.find((one) => one.pageId === pageId);
  if (!choice || !page || consent.accountId !== accountId) return false;
  const accessToken = await secretBox.open(page.sealedToken, belongingOf({ accountId, channel, pageId }));
  const { tokenExpiresAt: expiresAt } = page;
  const grant = { accountId, channel, network: consent.network, accessToken };
  const terms = { deadline: AbortSignal.timeout(networkLimitMs), given: whileLive(owner.digest) };
  await connectPage(needs, { ...grant, ...(expiresAt !== undefined && { expiresAt }) }, terms);
  await forgetChoice(table, owner, choice);
  return true;
}
