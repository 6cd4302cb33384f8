/** Parses the claims of Cognito's ID tokens. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { claimedTime } from '../../platform/claimed-time.ts';
import { outsideLine } from '../../platform/outside-text.ts';
import type { Identified } from '../identity.ts';
import { lineField } from '../outside-fields.ts';

/** A boolean, which Cognito sends as text if it comes from another provider. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

const longestName = 120;

/** How far in the future a log-in time may be: a later one would count as recent once that time has come. */
const loginAheadMs = 30_000;

/**
 * An address with invalid characters, or with a domain that has characters of no host name, such as a slash, counts as
 * missing: correcting it could yield another person's address. So does one with a comment in parentheses, which would be
 * another way to write the address without it.
 */
const emailIn = (email: string): string =>
  /^(?=.{1,320}$)(?:"[^\s\p{C}]+"|[^\s\p{C}()]+)@[\p{L}\p{M}\p{N}.\-。．｡]+$/u.test(email) ? email : '';

const Claims = once(() =>
  z.object({
    iss: z.string(),
    token_use: z.literal('id'),
    sub: z.string().min(1).max(255),
    'cognito:username': z.string().min(1).max(255),
    nonce: z.string(),
    auth_time: z.number().transform((time) => claimedTime(time * 1000)),
    origin_jti: z.string().min(1).max(255),
    email: z.string().default('').transform(emailIn),
    email_verified: flag.default(false),
    name: z
      .string()
      .default('')
      .transform((name) => outsideLine(name, longestName)),
    'cognito:groups': z.array(lineField).default([]),
    identities: z.array(z.object({ providerName: lineField })).default([]),
  }),
);

/**
 * The provider of a log-in. `identities` lists all providers linked to the user, so it does not show which one was
 * used: a user counts as social only if it belongs entirely to another provider. Cognito names such a user after that
 * provider, in lower case if the pool ignores case.
 */
function providerOf(username: string, identities: readonly { readonly providerName: string }[]): string | undefined {
  const [only, ...others] = identities;
  if (!only || others.length > 0) return undefined;
  return username.toLowerCase().startsWith(`${only.providerName}_`.toLowerCase()) ? only.providerName : undefined;
}

/** The identity in the claims; undefined if the claims do not belong to an ID token for this log-in. */
export function identifiedBy(claims: unknown, nonce: string, now: number): Identified | undefined {
  const { data } = Claims().safeParse(claims);
  if (!data || data.nonce !== nonce) return undefined;
  const username = data['cognito:username'];
  const provider = providerOf(username, data.identities);
  return {
    issuer: data.iss,
    subject: data.sub,
    username,
    ...(provider === undefined ? { kind: 'password', provider: 'password' } : { kind: 'social', provider }),
    email: data.email,
    isEmailVerified: data.email !== '' && data.email_verified,
    name: data.name || outsideLine(data.email, longestName),
    // An impossible time counts as 0, so that it confirms nothing.
    authenticatedAt: data.auth_time.pastBy(now, loginAheadMs) ?? 0,
    loginId: data.origin_jti,
    groups: data['cognito:groups'],
  };
}
