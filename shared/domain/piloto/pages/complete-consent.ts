/**
 * Completes an owner's consent at a social network: connects the page to which access was granted, or offers several to
 * choose from.
 */
import type { ConnectionOutcome, ConnectionProblem } from '../../../contracts/connecting.ts';
import type { GrantedPage, SocialLogin } from '../../../gateways/social-login.ts';
import type { FaultReason } from '../../../gateways/social-network.ts';
import type { Table } from '../../../platform/dynamo-table.ts';
import { whileLive } from '../../sessions/session-store.ts';
import { isNetworkFault } from '../network-fault.ts';
import { retrySecondsAfter } from '../rejected-by-network.ts';
import { ConnectionRefused, type ConnectNeeds, connectPage } from './connect-page.ts';
import { belongingOf, type Connection } from './connection.ts';
import { type ConsentId, consentSeconds, consumeConsent, offerChoice, type StoredConsent } from './consent-store.ts';
import { consentReturnUrl } from './request-consent.ts';

/**
 * The time limit of all calls to the social network; the rest of the function's time is for writes and the redirect.
 */
export const networkLimitMs = 20_000;

export interface ConsentNeeds extends ConnectNeeds {
  readonly socialLogin: SocialLogin;
  readonly table: Table;
}

/** A browser's return from a social network's consent page. */
export interface ConsentCallback {
  readonly code: string | undefined;
  readonly state: string | undefined;
  /** The social network's reason for sending no code. */
  readonly error: string | undefined;
  /** The secret in the browser's cookie, which ties the consent to that browser. */
  readonly secret: string | undefined;
}

/** The session's account. */
export interface Owner extends ConsentId {
  readonly accountId: string;
}

export interface Completion {
  readonly outcome: ConnectionOutcome;
  /** The reason for the log. */
  readonly reason?: string;
  /** How soon the social network may respond again. */
  readonly retryAfterSeconds?: number;
}

const faults: Readonly<Partial<Record<FaultReason, ConnectionProblem>>> = {
  throttled: 'network-down',
  unavailable: 'network-down',
  'unknown-outcome': 'network-down',
  unsupported: 'not-offered',
};

/** Maps an expected failure to a problem that the owner sees; undefined for an unexpected failure. */
export function connectionProblemOf(
  error: unknown,
): (Completion & { readonly outcome: ConnectionProblem }) | undefined {
  if (error instanceof ConnectionRefused) return { outcome: error.refusal };
  if (!isNetworkFault(error)) return undefined;
  const outcome = faults[error.reason] ?? 'rejected';
  return { outcome, reason: error.message, retryAfterSeconds: retrySecondsAfter(error) };
}

/** The page to connect: an existing connection is renewed only by its own page, whatever else was granted. */
function pageFor(current: Connection | undefined, granted: readonly GrantedPage[]): GrantedPage | undefined {
  const [first, ...more] = granted;
  if (first && more.length === 0) return first;
  if (current?.state === 'erasing') throw new ConnectionRefused('erasing');
  const same = current && granted.find(({ page }) => page?.pageId === current.pageId);
  if (current && !same) throw new ConnectionRefused('other-page');
  return same;
}

/** Stores the granted pages, with their tokens encrypted, until the owner has chosen one. */
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

/**
 * Completes a consent. All callbacks that do not match a consent of this session and browser get the same response and
 * change nothing. @throws {Rejection} unauthenticated
 */
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
