/** The verdicts on webhooks: valid ones by an independent signer, and all kinds of invalid ones. */
import { generateKeyPairSync, sign } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifyWebhook, type WebhookRequest } from '../../client/verify-webhook.ts';
import fixture from './fixtures/vectors.json' with { type: 'json' };
import shared from './webhooks.json' with { type: 'json' };

const { keys, vectors } = fixture;
const [first, second] = keys;
const [sample] = vectors;
if (!first || !second || !sample) throw new Error('the fixture is empty');
const now = sample.timestamp * 1000;
const headersOf = ({ id, timestamp, signatures }: typeof sample): Record<string, string | string[]> => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signatures.join(' '),
});

/** The verdict on the modified sample. */
const verdict = (
  changes: Partial<WebhookRequest> = {},
  headers: Readonly<Record<string, string | readonly string[] | undefined>> = {},
) => verifyWebhook({ body: sample.body, keys, now, ...changes, headers: { ...headersOf(sample), ...headers } });

const good = { ok: true, id: sample.id, timestamp: sample.timestamp };
const rejection = (reason: string) => ({ ok: false, reason });

describe.each(vectors)('the webhook test vector "$name"', (vector) => {
  test('is valid as text and as bytes, with one key or both, as a list or as a key set', async () => {
    const bodies = [vector.body, Buffer.from(vector.body), new Uint8Array(Buffer.from(vector.body))];
    const sets: WebhookRequest['keys'][] = [keys, { keys }, [first], [second]];
    const now = vector.timestamp * 1000;
    const verdicts = bodies.flatMap((body) =>
      sets.map((set) => verifyWebhook({ body, headers: headersOf(vector), keys: set, now })),
    );
    const found = await Promise.all(verdicts);
    expect(found).toEqual(found.map(() => ({ ok: true, id: vector.id, timestamp: vector.timestamp })));
  });

  test('is rejected if one bit of its body, id, timestamp or signature is changed', async () => {
    const headers = headersOf({ ...vector, signatures: vector.signatures.slice(0, 1) });
    const verify = (body: string, changed: object) =>
      verifyWebhook({ body, headers: { ...headers, ...changed }, keys, now: vector.timestamp * 1000 });
    const signature = Buffer.from(vector.signatures[0]?.slice(4) ?? '', 'base64');
    signature[0] = (signature[0] ?? 0) ^ 1;
    for (const changed of [
      verify(`${vector.body} `, {}),
      verify(vector.body, { 'webhook-id': `${vector.id}0` }),
      verify(vector.body, { 'webhook-timestamp': String(vector.timestamp + 1) }),
      verify(vector.body, { 'webhook-timestamp': `0${vector.timestamp}` }),
      verify(vector.body, { 'webhook-signature': `v1a,${signature.toString('base64')}` }),
    ]) {
      expect(await changed).toEqual(rejection('no matching signature'));
    }
  });
});

describe('the time window for webhooks', () => {
  test.each([
    [-301, 'is rejected', 'timestamp too far ahead'],
    [-300, 'is accepted', undefined],
    [0, 'is accepted', undefined],
    [300, 'is accepted', undefined],
    [300.999, 'is accepted', undefined],
    [301, 'is rejected', 'timestamp too old'],
  ])('is five minutes in each direction: an offset of %s seconds %s', async (seconds, _, reason) => {
    expect(await verdict({ now: now + seconds * 1000 })).toEqual(reason ? rejection(reason) : good);
  });

  test('can be configured', async () => {
    expect(await verdict({ now: now + 10_000, toleranceSeconds: 9 })).toEqual(rejection('timestamp too old'));
    expect(await verdict({ now: now + 600_000, toleranceSeconds: 600 })).toEqual(good);
  });

  test('is relative to the current time by default, and never accepts a timestamp that is not a number', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const at = Math.floor(Date.now() / 1000);
    const signature = sign(null, Buffer.from(`msg_1.${at}.{}`), privateKey).toString('base64');
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(at), 'webhook-signature': `v1a,${signature}` };
    const { x = '' } = publicKey.export({ format: 'jwk' });
    expect(await verifyWebhook({ body: '{}', headers, keys: [{ kty: 'OKP', crv: 'Ed25519', x }] })).toMatchObject({
      ok: true,
    });
    for (const wrong of [{ now: Number.NaN }, { toleranceSeconds: Number.NaN }])
      expect((await verdict(wrong)).ok).toBe(false);
  });
});

describe('the headers of a webhook', () => {
  test('are case-insensitive and may be lists or Headers', async () => {
    const listed = { 'Webhook-Id': [sample.id], 'WEBHOOK-TIMESTAMP': [String(sample.timestamp)] };
    const headers = { ...listed, 'Webhook-Signature': sample.signatures };
    expect(await verifyWebhook({ body: sample.body, headers, keys, now })).toEqual(good);
    const single = new Headers(headersOf(sample) as Record<string, string>);
    expect(await verifyWebhook({ body: sample.body, headers: single, keys, now })).toEqual(good);
  });

  test('may contain signatures of unknown versions and keys besides a valid one, in any order', async () => {
    const [one = '', other = ''] = sample.signatures;
    const others = ['v1,c2hvcnQ=', 'v2a,anything', 'v1a', '', 'v1a,', 'v1a,c2hvcnQ='];
    const signature = [...others, other, one, ...others].join(' ');
    expect(await verdict({ keys: [first] }, { 'webhook-signature': signature })).toEqual(good);
  });

  test.each([
    ['is of another version', `v1,${sample.signatures[0]?.slice(4)}`],
    ['has no version', sample.signatures[0]?.slice(4)],
    ['is truncated base64', sample.signatures[0]?.slice(0, -2)],
    ['is base64 with trailing data', `${sample.signatures[0]}AA`],
    ['is empty', ''],
    ['is missing', undefined],
  ])('are rejected if the signature %s', async (_, signature) => {
    expect(await verdict({}, { 'webhook-signature': signature })).toEqual(rejection('no matching signature'));
  });

  test.each([
    ['webhook-id', 'is missing', undefined],
    ['webhook-id', 'is empty', ''],
    ['webhook-id', 'contains a dot', 'msg.1'],
    ['webhook-id', 'is sent twice', ['msg_1', 'msg_2']],
    ['webhook-timestamp', 'is missing', undefined],
    ['webhook-timestamp', 'is empty', ''],
    ['webhook-timestamp', 'begins with a space', ` ${sample.timestamp}`],
    ['webhook-timestamp', 'has a decimal point', `${sample.timestamp}.0`],
    ['webhook-timestamp', 'has an exponent', '1e9'],
    ['webhook-timestamp', 'is negative', '-1'],
    ['webhook-timestamp', 'has 400 digits', '9'.repeat(400)],
  ])('are rejected if the header %s %s', async (name, _, value) => {
    expect(await verdict({}, { [name]: value })).toEqual(rejection('header missing or malformed'));
  });
});

test('moving text from a webhook’s body to its id makes it invalid, even if the signed bytes stay the same', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const signature = `v1a,${sign(null, Buffer.from('a.1795262400.1795262400.{}'), privateKey).toString('base64')}`;
  const own = [{ kty: 'OKP', crv: 'Ed25519', x: publicKey.export({ format: 'jwk' }).x ?? '' }];
  const read = (id: string, body: string) =>
    verdict({ body, keys: own }, { 'webhook-id': id, 'webhook-signature': signature });
  expect((await read('a', '1795262400.{}')).ok).toBe(true);
  expect((await read('a.1795262400', '{}')).ok).toBe(false);
});

test('malformed webhook keys and keys of other types are ignored, and without a valid key no webhook is valid', async () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const strange = [
    publicKey.export({ format: 'jwk' }) as { kty: string },
    { ...first, x: 'AAAA' },
    { ...first, crv: 'X25519' },
    { kty: 'OKP' },
    null as never,
  ];
  expect(await verdict({ keys: [...strange, first] })).toEqual(good);
  expect(await verdict({ keys: strange })).toEqual(rejection('no usable key'));
  expect(await verdict({ keys: { keys: [] } })).toEqual(rejection('no usable key'));
});

test('a webhook body that is already parsed is rejected with a reason that says so', async () => {
  expect(await verdict({ body: JSON.parse(sample.body) })).toEqual(rejection('body is not text or bytes'));
});

test('verifying a webhook never throws, and accepts only valid messages', async () => {
  const names = fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature', 'other');
  const values = fc.oneof(fc.anything(), fc.string(), fc.constant(String(sample.timestamp)), fc.array(fc.string()));
  const strange = fc.record({
    body: fc.anything(),
    headers: fc.oneof(fc.dictionary(names, values), fc.anything()),
    keys: fc.oneof(fc.anything(), fc.constant(keys), fc.constant({ keys })),
  });
  await fc.assert(
    fc.asyncProperty(strange, async (request) => {
      expect((await verifyWebhook({ ...request, now } as WebhookRequest)).ok).toBe(false);
    }),
    { numRuns: 1000 },
  );
});

describe('among the webhook fixtures that the tests of all clients share,', () => {
  const cases = shared.cases.map((one) => [one.title, one.valid ? 'accepted' : 'rejected', one] as const);
  test.each(cases)('%s is %s', async (_title, _verdict, { headers, body, valid }) => {
    const { keys: sharedKeys, webhookToken } = shared;
    const request = { body, headers: headers as Record<string, string>, keys: sharedKeys, webhookToken };
    expect((await verifyWebhook({ ...request, now: shared.now * 1000 })).ok).toBe(valid);
  });
});
