/** Limits how often an address may call a public operation. */
import ipaddr from 'ipaddr.js';
import { rateLimitAt, windowMs } from '../domain/rate-limit.ts';
import { Rejection } from '../domain/rejection.ts';
import { type Authenticator, anonymous } from './http-lambda.ts';

/** How many addresses are remembered; the one that called least recently is forgotten first. */
const addressesAtMost = 10_000;

/** What is counted as one address: of IPv6 a network of 64 bits, because a client has all addresses of one or more. */
function callerOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6' ? parsed.toByteArray().slice(0, 8).join(':') : parsed.toString();
}

/**
 * Admits about a number of requests a minute from an address. Each instance of the function counts its own requests, and
 * in memory: addresses are not stored.
 */
export function limitedByAddress(requests: number): Authenticator<never, { readonly kind: 'anonymous' }> {
  const logs = new Map<string, readonly number[]>();
  // A warm-up has no address.
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
