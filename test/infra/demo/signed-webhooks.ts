/** Webhooks signed like the service's, with a key created for the test. */
import { generateKeyPairSync, sign } from 'node:crypto';
import type { Trust } from '../../../infra/demo/webhook-receiver.ts';

export function signedWebhooks(webhookToken: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const trust: Trust = { webhookToken, publicKeys: async () => [{ kty: 'OKP', crv: 'Ed25519', x }] };
  return {
    trust,
    /** The headers of a webhook with this text, sent now. */
    sign: (text: string): Record<string, string> => {
      const id = 'msg_1';
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = sign(null, Buffer.from(`${id}.${timestamp}.${text}`), privateKey).toString('base64');
      return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1a,${signature}` };
    },
  };
}
