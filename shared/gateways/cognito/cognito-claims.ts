/** What an ID token of Cognito says about who has logged in. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import type { Identified } from '../identity.ts';

/** Cognito sends this attribute as text when it comes from another provider. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

const Claims = once(() =>
  z.object({
    iss: z.string(),
    token_use: z.literal('id'),
    sub: z.string().min(1),
    'cognito:username': z.string().min(1),
    nonce: z.string(),
    auth_time: z.int(),
    origin_jti: z.string().min(1),
    email: z.string().max(320).default(''),
    email_verified: flag.default(false),
    name: z.string().default(''),
    identities: z.array(z.object({ providerName: z.string() })).default([]),
  }),
);

/**
 * `identities` lists every provider that is linked to the user, whichever was used now. So only a user that is another
 * provider's alone counts as social: Cognito names it after that provider, in lower case if the pool ignores case.
 */
function providerOf(username: string, identities: readonly { readonly providerName: string }[]): string | undefined {
  const [only, ...others] = identities;
  if (!only || others.length > 0) return undefined;
  return username.toLowerCase().startsWith(`${only.providerName}_`.toLowerCase()) ? only.providerName : undefined;
}

/** Undefined if the claims are not those of an ID token for this log-in. */
export function identifiedBy(claims: unknown, nonce: string): Identified | undefined {
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
    name: data.name || data.email,
    authenticatedAt: data.auth_time * 1000,
    loginId: data.origin_jti,
  };
}
