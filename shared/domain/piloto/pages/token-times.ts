/** When the token of a connected page expires, and when it is renewed. */
import type { Connection } from './connection.ts';

const dayMs = 24 * 3_600_000;

/** The minimum age of a token for renewal: social networks do not renew younger tokens. */
const youngestMs = dayMs;

/** The longest time until a token is renewed: what a social network says of its lifetime may be wrong. */
const longestMs = 30 * dayMs;

/** How long before a token's expiry operators are warned: long enough for the owner to connect the page again. */
const soonMs = 7 * dayMs;

type TokenTimes = Pick<Connection, 'tokenExpiresAt' | 'renewTokenAt'>;

/** A new token is renewed at half its lifetime but within a month, or soon if its expiry is unknown. */
export const tokenTimes = (expiresAt: number | undefined, now: number): TokenTimes => ({
  tokenExpiresAt: expiresAt,
  renewTokenAt:
    now + Math.max(youngestMs, expiresAt === undefined ? 0 : Math.min(longestMs, Math.floor((expiresAt - now) / 2))),
});

/** Whether to renew a token; a connection without a renewal time counts as due. */
export const isRenewalDue = ({ state, connectedAt, renewTokenAt }: Connection, now: number): boolean =>
  state === 'connected' && now >= (renewTokenAt ?? connectedAt + youngestMs);

export const endsSoon = ({ state, tokenExpiresAt }: Connection, now: number): boolean =>
  state === 'connected' && tokenExpiresAt !== undefined && tokenExpiresAt - now < soonMs;
