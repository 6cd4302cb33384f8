/**
 * A substitute for the KMS operations that webhooks use: responses of the same number and form, without real
 * cryptography.
 */
import { jsonReply, type LocalServer, startLocalServer } from './local-server.ts';

const bytes = (count: number): string => Buffer.alloc(count, 7).toString('base64');

const replies: Readonly<Record<string, object>> = { GenerateMac: { Mac: bytes(32) }, Sign: { Signature: bytes(64) } };

/** The key names in the service's settings. */
export const kmsKeys = {
  webhookTokenKey: 'arn:aws:kms:us-east-1:000000000000:key/webhook-tokens',
  webhookSigningKeys: 'arn:aws:kms:us-east-1:000000000000:key/webhook-signatures',
};

export const startLocalKms = (): Promise<LocalServer> =>
  startLocalServer(({ headers }) => {
    const [, operation = ''] = String(headers['x-amz-target']).split('.');
    return jsonReply(replies[operation] ? 200 : 400, replies[operation] ?? { __type: 'UnknownOperationException' });
  });
