/** KMS as far as webhooks use it: its answers prove nothing, but have the form and number of real ones. */
import { jsonAnswer, type LocalServer, startLocalServer } from './local-server.ts';

const bytes = (count: number): string => Buffer.alloc(count, 7).toString('base64');

const answers: Readonly<Record<string, object>> = { GenerateMac: { Mac: bytes(32) }, Sign: { Signature: bytes(64) } };

/** What the service's settings name the keys. */
export const kmsKeys = {
  webhookTokenKey: 'arn:aws:kms:us-east-1:000000000000:key/webhook-tokens',
  webhookSigningKeys: 'arn:aws:kms:us-east-1:000000000000:key/webhook-signatures',
};

export const startLocalKms = (): Promise<LocalServer> =>
  startLocalServer(({ headers }) => {
    const [, operation = ''] = String(headers['x-amz-target']).split('.');
    return jsonAnswer(answers[operation] ? 200 : 400, answers[operation] ?? { __type: 'UnknownOperationException' });
  });
