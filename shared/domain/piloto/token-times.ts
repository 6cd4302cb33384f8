/** When the token of a connected page ends, and when it is renewed. */
import type { Connection } from './connection.ts';

const dayMs = 24 * 3_600_000;

/** Networks renew no token that is younger. */
const youngestMs = dayMs;

/** Until then, somebody can still connect the page again in time. */
const soonMs = 7 * dayMs;

type TokenTimes = Pick<Connection, 'tokenExpiresAt' | 'renewTokenAt'>;

/** Of a token that was just given: it is renewed when half of its life is over, or soon if its end is unknown. */
export const tokenTimes = (expiresAt: number | undefined, now: number): TokenTimes => ({
  tokenExpiresAt: expiresAt,
  renewTokenAt: now + Math.max(youngestMs, expiresAt === undefined ? 0 : Math.floor((expiresAt - now) / 2)),
});

/** Of a connection without its own time, everything is unknown. */
export const isRenewalDue = ({ state, connectedAt, renewTokenAt }: Connection, now: number): boolean =>
  state === 'connected' && now >= (renewTokenAt ?? connectedAt + youngestMs);

export const endsSoon = ({ state, tokenExpiresAt }: Connection, now: number): boolean =>
  state === 'connected' && tokenExpiresAt !== undefined && tokenExpiresAt - now < soonMs;
