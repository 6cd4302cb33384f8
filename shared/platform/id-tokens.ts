/** Verifies ID tokens: signature, issuer, audience and expiry, by the injected clock. */
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import type { Clock } from './clock.ts';

export interface IdTokenSource {
  readonly issuer: () => string;
  readonly keysUrl: () => string;
  readonly clock: Clock;
}

/** The clocks of two machines may differ by so much. */
const toleranceSeconds = 30;

export type VerifyIdToken = (token: string, audience: string) => Promise<Readonly<Record<string, unknown>> | undefined>;

/** Also when the keys' address responds with another status than 200, or not with JSON. */
const unread = new Set([errors.JOSEError.code, errors.JWKSInvalid.code, errors.JWKSTimeout.code]);

/** Resolves with the token's claims; with undefined if it must not be believed. @throws when the keys cannot be read */
export function idTokens({ issuer, keysUrl, clock }: IdTokenSource): VerifyIdToken {
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  return async (token, audience) => {
    keys ??= createRemoteJWKSet(new URL(keysUrl()), { timeoutDuration: 3000 });
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: issuer(),
        audience,
        algorithms: ['RS256'],
        requiredClaims: ['exp', 'sub'],
        clockTolerance: toleranceSeconds,
        currentDate: new Date(clock.now()),
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError && !unread.has(error.code)) return undefined;
      throw error;
    }
  };
}
