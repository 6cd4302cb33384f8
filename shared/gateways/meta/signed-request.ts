/** Verifies the `signed_request` that Meta sends when a user has removed the app or requests the deletion of data. */
import * as z from 'zod';
import { jsonIn } from '../../platform/json-in.ts';
import { isSignedWith } from './app-signature.ts';

const Content = z.object({ algorithm: z.literal('HMAC-SHA256'), user_id: z.coerce.string().regex(/^\d{1,40}$/) });

const form = /^([\w-]{43})=?\.([\w-]{1,8000}={0,2})$/;

/** The app-specific id of the user; undefined unless one of the secrets has signed the request. */
export function userInSignedRequest(text: string, appSecrets: readonly string[]): string | undefined {
  const [, signature, payload] = form.exec(text) ?? [];
  if (signature === undefined || payload === undefined) return undefined;
  if (!isSignedWith(appSecrets, payload, Buffer.from(signature, 'base64url'))) return undefined;
  return Content.safeParse(jsonIn(Buffer.from(payload, 'base64url').toString('utf8'))).data?.user_id;
}
