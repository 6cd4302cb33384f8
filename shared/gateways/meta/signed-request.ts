/** Verifies the `signed_request` that Meta sends when a user has removed the app or requests the deletion of data. */
import * as z from 'zod';
import { claimedTime } from '../../platform/claimed-time.ts';
import { jsonIn } from '../../platform/json-in.ts';
import type { SignedWithdrawal } from '../social-network.ts';
import { isSignedWith } from './app-signature.ts';

const Content = z.object({
  algorithm: z.literal('HMAC-SHA256'),
  user_id: z.coerce.string().regex(/^\d{1,40}$/),
  issued_at: z.exactOptional(z.number().transform((seconds) => claimedTime(seconds * 1000))),
});

const form = /^([\w-]{43})=?\.([\w-]{1,8000}={0,2})$/;

/** The withdrawal, with the app-specific id of the user; undefined unless one of the secrets has signed the request. */
export function withdrawalInSignedRequest(
  text: string,
  appSecrets: readonly string[],
  now: number,
): SignedWithdrawal | undefined {
  const [, signature, payload] = form.exec(text) ?? [];
  if (signature === undefined || payload === undefined) return undefined;
  if (!isSignedWith(appSecrets, payload, Buffer.from(signature, 'base64url'))) return undefined;
  const { data } = Content.safeParse(jsonIn(Buffer.from(payload, 'base64url').toString('utf8')));
  const issuedAt = data?.issued_at?.pastBy(now);
  return data && { userId: data.user_id, ...(issuedAt !== undefined && { issuedAt }) };
}
