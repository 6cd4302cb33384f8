/** Verifies HMAC-SHA256 signatures, with which Meta signs all of its requests. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether one of the secrets has signed the content, compared in constant time. */
export function isSignedWith(secrets: readonly string[], content: string, signature: Buffer): boolean {
  const matches = secrets.map((secret) => {
    const expected = createHmac('sha256', secret).update(content).digest();
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
  return matches.includes(true);
}
