/** Who calls, may they now, and are they allowed to: token, rate limit and scope, in this order. */

import { type RateLimit, requestsPerMinute, windowMs } from '../domain/rate-limit.ts';
import { isWellFormedToken, tokenDigest } from '../domain/token.ts';
import { type Exchange, headerValues } from './exchange.ts';
import { Refusal } from './refusal.ts';

const bearer = /^bearer ([^ ]+)$/i;

function tokenOf({ event }: Exchange): string {
  const values = headerValues(event, 'authorization');
  const token = values.length === 1 ? bearer.exec(values[0] ?? '')?.[1] : undefined;
  if (!token || !isWellFormedToken(token)) throw new Refusal('UNAUTHORIZED');
  return token;
}

/** The fields of the IETF draft: `t` is when the oldest counted request leaves the window and makes room. */
const rateLimitHeaders = ({ remaining, resetSeconds }: RateLimit) => ({
  'RateLimit-Policy': `"token";q=${requestsPerMinute};w=${windowMs / 1000}`,
  RateLimit: `"token";r=${remaining};t=${resetSeconds}`,
});

function requireScope({ contract, caller }: Exchange): void {
  if (contract.scopes.some((scope) => caller?.scopes.includes(scope))) return;
  const [first, ...others] = contract.scopes;
  const needed = others.length === 0 ? `the scope ${first}` : `one of the scopes ${contract.scopes.join(', ')}`;
  throw new Refusal('FORBIDDEN', { message: `the token lacks ${needed}` });
}

/** Lets a request with a good token pass; public operations ignore the header. */
export async function authenticate(exchange: Exchange): Promise<void> {
  const { contract, context } = exchange;
  if (contract.scopes.length === 0) return;
  const admission = await context.tokens.admit(tokenDigest(tokenOf(exchange)), context.clock.now());
  if (admission.status === 'refused') throw new Refusal('UNAUTHORIZED');
  Object.assign(exchange.responseHeaders, rateLimitHeaders(admission.rateLimit));
  if (admission.status === 'limited') {
    throw new Refusal('RATE_LIMITED', { retryAfterSeconds: admission.rateLimit.resetSeconds });
  }
  const { accountId, tokenId, scopes } = admission.token;
  exchange.caller = { accountId, tokenId, scopes };
  requireScope(exchange);
}
