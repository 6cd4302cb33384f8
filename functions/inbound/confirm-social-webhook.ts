import { createHash, timingSafeEqual } from 'node:crypto';
import { wrongSignature } from '../../shared/domain/rejection.ts';
import { secretsManager } from '../../shared/platform/secrets.ts';
import { type Inbound, inboundLambda } from '../../shared/runtime/inbound-lambda.ts';

/** Compares two texts in constant time. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}

/** Confirms to Meta that this URL receives its events, if the request has the configured token. */
export const confirmSocialWebhook: Inbound<string, 'secrets'> = {
  async verify({ query }, { secrets, settings }) {
    const expected = await secrets.read(settings.metaVerifyToken);
    const isKnown = expected !== 'none' && isSame(query['hub.verify_token'] ?? '', expected);
    if (query['hub.mode'] !== 'subscribe' || !isKnown) throw wrongSignature();
    return { sender: 'meta', message: query['hub.challenge'] ?? '' };
  },
  receive: async () => undefined,
  respond: (challenge) => ({ status: 200, body: challenge, headers: { 'Content-Type': 'text/plain; charset=utf-8' } }),
};

export const definition = inboundLambda('confirmSocialWebhook', confirmSocialWebhook, { secrets: secretsManager });
