/** HMAC-SHA256 with an app's secret, with which Meta signs whatever it sends. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether one of the secrets has signed the content; every comparison takes the same time. */
export function isSignedWith(secrets: readonly string[], content: string, signature: Buffer): boolean {
  const matches = secrets.map((secret) => {
    const expected = createHmac('sha256', secret).update(content).digest();
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
  return matches.includes(true);
}
