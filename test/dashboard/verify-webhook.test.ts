/** The verifier that the dashboard offers for copying, applied to webhooks that the service has signed. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { localServer } from '../support/local-server.ts';

type Verify = (headers: Readonly<Record<string, string>>, body: string, keysUrl: string) => Promise<unknown>;

const body = JSON.stringify({ event: 'task.completed', taskId: 'task-1' });
const service = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');

const file = join(import.meta.dirname, '../../dashboard/pages/webhooks/verify-webhook.mjs');
const { verifiedEvent } = (await import(file)) as { verifiedEvent: Verify };
const published = { keys: [service.publicKey].map((publicKey) => publicKey.export({ format: 'jwk' })) };
const keys = await localServer((_request, response) => void response.end(JSON.stringify(published)));
afterAll(() => keys.close());

interface Delivery {
  readonly secondsAgo?: number;
  readonly key?: KeyObject;
  readonly signedBody?: string;
}

function headersOf({ secondsAgo = 0, key = service.privateKey, signedBody = body }: Delivery): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000) - secondsAgo);
  const signature = sign(null, Buffer.from(`message-1.${timestamp}.${signedBody}`), key).toString('base64');
  return { 'webhook-id': 'message-1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1a,${signature}` };
}

test('verifying a genuine webhook returns its event, even if it has signatures of other types too', async () => {
  const headers = headersOf({});
  expect(await verifiedEvent(headers, body, keys.url)).toEqual(JSON.parse(body));
  const several = { ...headers, 'webhook-signature': `v1,unknown ${headers['webhook-signature']}` };
  expect(await verifiedEvent(several, body, keys.url)).toEqual(JSON.parse(body));
});

describe('verifying a webhook returns undefined', () => {
  test.for<[why: string, delivery: Delivery]>([
    ['for another body', { signedBody: `${body} ` }],
    ['for a key that is not published', { key: stranger.privateKey }],
    ['for an old webhook', { secondsAgo: 3600 }],
    ['for a webhook from the future', { secondsAgo: -3600 }],
  ])('%s', async ([, delivery]) => {
    expect(await verifiedEvent(headersOf(delivery), body, keys.url)).toBeUndefined();
  });

  test.for(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without the header %s', async (name) => {
    const { [name]: _, ...headers } = headersOf({});
    expect(await verifiedEvent(headers, body, keys.url)).toBeUndefined();
  });
});
