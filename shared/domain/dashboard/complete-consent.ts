/** Completes what a network was asked for: connects the page that was granted, or lets the owner choose one of several. */
import type { ConnectionOutcome, ConnectionProblem } from '../../contracts/connecting.ts';
import type { GrantedPage, SocialLogin } from '../../gateways/social-login.ts';
import type { FaultReason } from '../../gateways/social-network.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import { ConnectionRefused, type ConnectNeeds, connectPage } from '../piloto/connect-page.ts';
import { belongingOf, type Connection } from '../piloto/connection.ts';
import { isNetworkFault } from '../piloto/network-fault.ts';
import { retrySecondsAfter } from '../piloto/rejected-by-network.ts';
import { type ConsentId, consentSeconds, consumeConsent, offerChoice, type StoredConsent } from './consent-store.ts';
import { consentReturnUrl } from './request-consent.ts';
import { whileLive } from './session-store.ts';

/** How long the networks may take in all: the rest is for what is stored, and to send the browser on. */
export const networkLimitMs = 20_000;

export interface ConsentNeeds extends ConnectNeeds {
  readonly socialLogin: SocialLogin;
  readonly table: Table;
}

/** A browser that comes back from a network. */
export interface ConsentCallback {
  readonly code: string | undefined;
  readonly state: string | undefined;
  /** The network's own reason for sending no code. */
  readonly error: string | undefined;
  /** What the browser keeps of the consent that it began. */
  readonly secret: string | undefined;
}

/** The account whose session it is. */
export interface Owner extends ConsentId {
  readonly accountId: string;
}

export interface Completion {
  readonly outcome: ConnectionOutcome;
  /** For the log. */
  readonly reason?: string;
  /** When the network may respond again. */
  readonly retryAfterSeconds?: number;
}

const faults: Readonly<Partial<Record<FaultReason, ConnectionProblem>>> = {
  throttled: 'network-down',
  unavailable: 'network-down',
  'unknown-outcome': 'network-down',
  unsupported: 'not-offered',
};

/** What an expected failure means for the owner; undefined for any other. */
export function connectionProblemOf(
  error: unknown,
): (Completion & { readonly outcome: ConnectionProblem }) | undefined {
  if (error instanceof ConnectionRefused) return { outcome: error.refusal };
  if (!isNetworkFault(error)) return undefined;
  const outcome = faults[error.reason] ?? 'rejected';
  return { outcome, reason: error.message, retryAfterSeconds: retrySecondsAfter(error) };
}

/** A connection is renewed by its own page alone, whatever else is granted with it. */
function pageFor(current: Connection | undefined, granted: readonly GrantedPage[]): GrantedPage | undefined {
  const [first, ...more] = granted;
  if (first && more.length === 0) return first;
  if (current?.state === 'erasing') throw new ConnectionRefused('erasing');
  const same = current && granted.find(({ page }) => page?.pageId === current.pageId);
  if (current && !same) throw new ConnectionRefused('other-page');
  return same;
}

/** Keeps the pages with their tokens sealed until the owner has chosen one; without what is not a page by itself. */
async function keep(
  { clock, secretBox, table }: ConsentNeeds,
  { accountId, channel, digest }: Owner,
  consent: StoredConsent,
  granted: readonly GrantedPage[],
): Promise<boolean> {
  const pages = granted.flatMap(({ page, ...token }) => (page ? [{ ...page, ...token }] : []));
  const sealed = pages.map(async ({ pageId, name, accessToken, expiresAt }) => ({
    pageId,
    name,
    sealedToken: await secretBox.seal(accessToken, belongingOf({ accountId, channel, pageId })),
    ...(expiresAt !== undefined && { tokenExpiresAt: expiresAt }),
  }));
  const choice = { until: clock.now() + consentSeconds * 1000, pages: await Promise.all(sealed) };
  return offerChoice(table, { digest, channel }, consent, choice);
}

async function complete(
  needs: ConsentNeeds,
  owner: Owner,
  consent: StoredConsent,
  { deadline, ...given }: { readonly code: string; readonly redirectUrl: string; readonly deadline: AbortSignal },
): Promise<ConnectionOutcome> {
  const { accountId, channel, digest } = owner;
  const { network } = consent;
  const granted = await needs.socialLogin.pagesOf({ channel, network, deadline }, given);
  if (granted.length === 0) return 'no-page';
  const page = pageFor(await needs.connections.find({ accountId, channel }), granted);
  if (!page) return (await keep(needs, owner, consent, granted)) ? 'choose' : 'expired';
  const { page: _known, ...token } = page;
  await connectPage(needs, { accountId, channel, network, ...token }, { deadline, given: whileLive(digest) });
  return 'connected';
}

/** All callbacks without the consent of this session and browser look the same from outside, and change nothing. @throws {Rejection} unauthenticated */
export async function completeConsent(
  needs: ConsentNeeds,
  owner: Owner,
  { code, state, error, secret }: ConsentCallback,
  dashboardUrl: string,
  limitMs = networkLimitMs,
): Promise<Completion> {
  const { clock, table } = needs;
  const consent =
    secret && state
      ? await consumeConsent(table, owner, { secret, state, isGranted: Boolean(code) }, clock.now())
      : undefined;
  if (consent?.accountId !== owner.accountId) return { outcome: 'expired' };
  if (!code) return { outcome: error === 'access_denied' ? 'canceled' : 'failed' };
  try {
    const deadline = AbortSignal.timeout(limitMs);
    const redirectUrl = consentReturnUrl(dashboardUrl, owner.channel);
    return { outcome: await complete(needs, owner, consent, { code, redirectUrl, deadline }) };
  } catch (failure) {
    const problem = connectionProblemOf(failure);
    if (!problem) throw failure;
    return problem;
  }
}
