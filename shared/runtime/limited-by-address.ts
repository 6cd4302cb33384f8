/** Limits how often an address may call a public operation. */
import ipaddr from 'ipaddr.js';
import { rateLimitAt, windowMs } from '../domain/rate-limit.ts';
import { Rejection } from '../domain/rejection.ts';
import { type Authenticator, anonymous } from './http-lambda.ts';

/** How many addresses are remembered; the one whose last call is the longest ago is dropped first. */
const addressesAtMost = 10_000;

/** What counts as one address: for IPv6, a network of 64 bits, because a client usually has a whole network. */
function callerOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6' ? parsed.toByteArray().slice(0, 8).join(':') : parsed.toString();
}

/**
 * Admits about this number of requests per minute from an address. Each instance of the function counts for itself and
 * in memory, so that no addresses are stored.
 */
export function limitedByAddress(requests: number): Authenticator<never, { readonly kind: 'anonymous' }> {
  const logs = new Map<string, readonly number[]>();
  // There is no address when the function is warmed up.
  return async ({ event: { requestContext } }, { clock }) => {
    const address = callerOf(requestContext.identity?.sourceIp ?? '');
    const now = clock.now();
    const log = (logs.get(address) ?? []).filter((at) => at > now - windowMs);
    const { remaining, resetSeconds } = rateLimitAt(log, now, requests);
    if (remaining === 0) {
      const message = `Your address or network made more than ${requests} requests in 60 seconds: wait for the number of seconds in Retry-After.`;
      throw new Rejection('rate-limited', { message, retryAfterSeconds: resetSeconds });
    }
    logs.delete(address);
    logs.set(address, [...log, now]);
    const [oldest] = logs.keys();
    if (logs.size > addressesAtMost && oldest !== undefined) logs.delete(oldest);
    return anonymous();
  };
}
