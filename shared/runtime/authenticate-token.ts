/** Authenticates by API token: checks the token, the rate limit and the scopes, in this order. */

import { requestsPerMinute } from '../contracts/limits.ts';
import { acceptsTests, type Scope } from '../contracts/scopes.ts';
import { type RateLimit, windowMs } from '../domain/rate-limit.ts';
import { Rejection } from '../domain/rejection.ts';
import { testAccountOf } from '../domain/test-account.ts';
import { isWellFormedToken, tokenDigest } from '../domain/tokens/token.ts';
import type { TokenActor } from './actor.ts';
import type { With } from './context.ts';
import { type Exchange, headerValues } from './exchange.ts';

const bearer = /^bearer ([^ ]+)$/i;

/** Adds `WWW-Authenticate`, which the errors of sessions and signatures do not have. */
function unauthenticated({ responseHeaders }: Exchange): Rejection {
  responseHeaders['WWW-Authenticate'] = 'Bearer';
  return new Rejection('unauthenticated');
}

function tokenOf(exchange: Exchange): string {
  // Repeated headers are joined by characters that no token contains, so they are never accepted.
  const token = bearer.exec(headerValues(exchange.event, 'authorization').join(', '))?.[1];
  if (!token || !isWellFormedToken(token)) throw unauthenticated(exchange);
  return token;
}

/** Header fields of the IETF draft; `t` is the time until the oldest counted request leaves the window. */
const rateLimitHeaders = ({ remaining, resetSeconds }: RateLimit) => ({
  'RateLimit-Policy': `"token";q=${requestsPerMinute};w=${windowMs / 1000}`,
  RateLimit: `"token";r=${remaining};t=${resetSeconds}`,
});

/**
 * Requires that an actor has one of the scopes.
 * @throws {Rejection} forbidden, with a message that lists the scopes of which the actor needs one
 */
export function requireScope(scopes: readonly Scope[], { scopes: granted }: Pick<TokenActor, 'scopes'>): void {
  if (scopes.some((scope) => granted.includes(scope))) return;
  const needed = scopes.length === 1 ? `the scope ${scopes[0]}` : `one of the scopes ${scopes.join(', ')}`;
  throw new Rejection('forbidden', { message: `The token lacks ${needed}.` });
}

/** Authenticates a request by its token. @throws {Rejection} unauthenticated, rate-limited, forbidden */
export async function authenticateToken(
  exchange: Exchange,
  { clock, tokens }: Pick<With<'tokens'>, 'clock' | 'tokens'>,
  requiredScopes: readonly Scope[],
): Promise<TokenActor> {
  const admission = await tokens.admit(tokenDigest(tokenOf(exchange)), clock.now());
  if (admission.status === 'rejected') throw unauthenticated(exchange);
  Object.assign(exchange.responseHeaders, rateLimitHeaders(admission.rateLimit));
  const { accountId: owner, mode, tokenId, scopes, monthlyCreditCap } = admission.token;
  const isTest = mode === 'test';
  if (isTest) exchange.responseHeaders['X-Test-Mode'] = 'true';
  const accountId = isTest ? testAccountOf(owner) : owner;
  const actor: TokenActor = { kind: 'token', accountId, tokenId, scopes, monthlyCreditCap };
  // The actor is set before the rate limit and scopes are checked, so that the log shows whose requests are rejected.
  exchange.actor = actor;
  if (admission.status === 'limited') {
    throw new Rejection('rate-limited', { retryAfterSeconds: admission.rateLimit.resetSeconds });
  }
  requireScope(requiredScopes, actor);
  if (isTest && !acceptsTests(requiredScopes)) {
    throw new Rejection('forbidden', { message: 'Test tokens cannot use this operation: use a live token.' });
  }
  return actor;
}
