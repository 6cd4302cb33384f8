/** Who calls, may they now, and are they allowed to: token, rate limit and scope, in this order. */

import type { Scope } from '../contracts/scopes.ts';
import { type RateLimit, requestsPerMinute, windowMs } from '../domain/tokens/rate-limit.ts';
import { isWellFormedToken, tokenDigest } from '../domain/tokens/token.ts';
import { type Exchange, headerValues } from './exchange.ts';
import type { Caller } from './operation-types.ts';
import { Refusal } from './refusal.ts';

const bearer = /^bearer ([^ ]+)$/i;

function tokenOf({ event }: Exchange): string {
  // The values of a repeated header are joined by what no token contains, so that two right ones are wrong.
  const token = bearer.exec(headerValues(event, 'authorization').join(', '))?.[1];
  if (!token || !isWellFormedToken(token)) throw new Refusal('UNAUTHORIZED');
  return token;
}

/** The fields of the IETF draft: `t` is when the oldest counted request leaves the window and makes room. */
const rateLimitHeaders = ({ remaining, resetSeconds }: RateLimit) => ({
  'RateLimit-Policy': `"token";q=${requestsPerMinute};w=${windowMs / 1000}`,
  RateLimit: `"token";r=${remaining};t=${resetSeconds}`,
});

function requireScope(scopes: readonly Scope[], caller: Caller): void {
  if (scopes.some((scope) => caller.scopes.includes(scope))) return;
  const needed = scopes.length === 1 ? `the scope ${scopes[0]}` : `one of the scopes ${scopes.join(', ')}`;
  throw new Refusal('FORBIDDEN', { message: `the token lacks ${needed}` });
}

/** Lets a request with a good token pass; public operations ignore the header. */
export async function authenticate(exchange: Exchange): Promise<void> {
  const { contract, context } = exchange;
  if (contract.scopes.length === 0) return;
  const admission = await context.tokens.admit(tokenDigest(tokenOf(exchange)), context.clock.now());
  if (admission.status === 'refused') throw new Refusal('UNAUTHORIZED');
  Object.assign(exchange.responseHeaders, rateLimitHeaders(admission.rateLimit));
  // Before the limit: operators must see whose requests are refused.
  const { accountId, tokenId, scopes } = admission.token;
  exchange.caller = { accountId, tokenId, scopes };
  if (admission.status === 'limited') {
    throw new Refusal('RATE_LIMITED', { retryAfterSeconds: admission.rateLimit.resetSeconds });
  }
  requireScope(contract.scopes, exchange.caller);
}
