/** Verifies ID tokens: signature, issuer, audience and expiry, using the injected clock. */
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import type { Clock } from './clock.ts';

export interface IdTokenSource {
  readonly issuer: () => string;
  readonly keysUrl: () => string;
  readonly clock: Clock;
}

/** The tolerated difference between two machines' clocks. */
const toleranceSeconds = 30;

export type VerifyIdToken = (token: string, audience: string) => Promise<Readonly<Record<string, unknown>> | undefined>;

/**
 * Errors that mean the keys could not be read: these include a status other than 200 and a response that is not JSON.
 */
const unread = new Set([errors.JOSEError.code, errors.JWKSInvalid.code, errors.JWKSTimeout.code]);

/**
 * Returns a verifier that resolves with the token's claims, or undefined if the token is invalid. @throws if the keys
 * cannot be read
 */
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
