/** The public keys for webhooks: how they are served, and that receivers need no action on a rotation. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyWebhook, type WebhookKey } from '../../client/verify-webhook.ts';
import { rotateWebhookKey } from '../../infra/local/rotate-webhook-key.ts';
import { eventually } from '../support/eventually.ts';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests();
const directory = host.service.context.settings.webhookSigningKeys;

const ask = (init?: RequestInit) => fetch(`${host.url}/.well-known/webhook-keys.json`, init);

interface KeySet {
  readonly keys: readonly (WebhookKey & { readonly kid: string })[];
}
const published = async () => (await (await ask()).json()) as KeySet;

test('the webhook keys are public JSON, cacheable for five minutes, without CORS headers', async () => {
  const response = await ask({ headers: { origin: 'https://example.com' } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('public, max-age=300');
  expect([...response.headers.keys()].filter((name) => /^access-control|^set-cookie|^ratelimit/.test(name))).toEqual(
    [],
  );
});

test('the published webhook keys state each key’s use, and have no private members', async () => {
  const text = await (await ask()).text();
  const { keys } = JSON.parse(text) as KeySet;
  const member = expect.stringMatching(/^[\w-]{43}$/);
  expect(keys).toEqual([{ kty: 'OKP', crv: 'Ed25519', x: member, kid: member, use: 'sig', alg: 'EdDSA' }]);
  const [, base64 = ''] = readFileSync(join(directory, '1.pem'), 'utf8').split('\n');
  const seed = Buffer.from(base64, 'base64').subarray(-32);
  for (const encoding of ['base64', 'base64url', 'hex'] as const) expect(text).not.toContain(seed.toString(encoding));
});

test.for(['HEAD', 'POST', 'OPTIONS', 'DELETE'])('%s of the webhook keys gets 404', async (method) => {
  expect((await ask({ method })).status).toBe(404);
});

test('a failure to read the webhook keys gets a 500 that is not cached and reveals nothing', async () => {
  const response = await host.withEnvironment({ WEBHOOK_SIGNING_KEYS: '/nowhere/secret' }, () => ask());
  expect(response.status).toBe(500);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ success: false, error: { code: 'INTERNAL_ERROR' } });
  expect(text).not.toContain('nowhere');
});

test('during a key rotation, a receiver can verify webhooks with the old list of keys, the new one or both', async () => {
  const { token } = await host.account();
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  const before = await published();
  await rotateWebhookKey(directory);
  const during = await published();
  expect(during.keys).toHaveLength(2);
  expect(during.keys.slice(1)).toEqual(before.keys);

  const deliver = async () => {
    const taskId = await host.speak(token, { text: 'Oi.', voice: 'bill', callbackUrl: host.receiver.url });
    const { body, headers } = await eventually('the webhook', () => host.receiver.of(taskId)[0]);
    return async (keys: KeySet) => (await verifyWebhook({ body, headers, keys, now: host.clock.now() })).ok;
  };
  const overlapping = await deliver();
  rmSync(join(directory, '1.pem'));
  const after = await published();
  expect(after.keys).toEqual(during.keys.slice(0, 1));
  expect(await Promise.all([before, during, after].map(overlapping))).toEqual([true, true, true]);
  expect(await Promise.all([before, during, after].map(await deliver()))).toEqual([false, true, true]);
});
