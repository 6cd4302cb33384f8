/** Notifications without an id, as Mercado Pago's own SDK verifies them. */
import { createHmac } from 'node:crypto';
import { WebhookSignatureValidator } from 'mercadopago';
import { expect, test } from 'vitest';
import { verifiedEvent } from '../../../shared/gateways/mercado-pago/mercado-pago-event.ts';

const secret = 'the-webhook-secret';
const now = 1_795_000_000_000;

const signed = (manifest: string) => `ts=${now},v1=${createHmac('sha256', secret).update(manifest).digest('hex')}`;

const eventOf = (headers: Record<string, string>, paymentId = '17', type = 'payment') =>
  verifiedEvent({ headers, query: { source_news: 'webhooks', 'data.id': paymentId, type }, body: '' }, secret, now);

test('the signature of a Mercado Pago notification without a request id covers only the payment and the time', () => {
  const xSignature = signed(`id:17;ts:${now};`);
  expect(() =>
    WebhookSignatureValidator.validate({ xSignature, xRequestId: undefined, dataId: '17', secret }),
  ).not.toThrow();
  expect(eventOf({ 'x-signature': xSignature })).toEqual({ eventId: `ts-${now}`, subject: '17' });
  expect(eventOf({ 'x-signature': xSignature }, '18')).toBeUndefined();
});

test('a Mercado Pago notification is rejected if a request id is added or removed', () => {
  const id = { 'x-request-id': 'some-id' };
  const withId = signed(`id:17;request-id:some-id;ts:${now};`);
  expect(eventOf({ ...id, 'x-signature': withId })).toEqual({ eventId: 'some-id', subject: '17' });
  expect(eventOf({ 'x-signature': withId })).toBeUndefined();
  expect(eventOf({ ...id, 'x-signature': signed(`id:17;ts:${now};`) })).toBeUndefined();
});

test('a signed Mercado Pago notification without a resource id (`data.id`) is accepted and ignored', () => {
  const xSignature = signed(`request-id:some-id;ts:${now};`);
  const given = { xSignature, xRequestId: 'some-id', dataId: undefined, secret };
  expect(() => WebhookSignatureValidator.validate(given)).not.toThrow();
  expect(eventOf({ 'x-request-id': 'some-id', 'x-signature': xSignature }, '')).toBe('irrelevant');
});

test.for([
  ['17', 'merchant_order'],
  ['17', 'chargebacks'],
  ['2c938084', 'subscription_preapproval'],
  ['2c938084', 'payment'],
] as const)(
  'a signed Mercado Pago notification about the object %s of the type %s is accepted and ignored',
  ([dataId, type]) => {
    const xSignature = signed(`id:${dataId};request-id:some-id;ts:${now};`);
    expect(() =>
      WebhookSignatureValidator.validate({ xSignature, xRequestId: 'some-id', dataId, secret }),
    ).not.toThrow();
    const headers = { 'x-request-id': 'some-id', 'x-signature': xSignature };
    expect(eventOf(headers, dataId, type)).toBe('irrelevant');
    expect(eventOf({ ...headers, 'x-request-id': 'another-id' }, dataId, type)).toBeUndefined();
  },
);

test.for(['2C938084', '2c938084'])(
  'a Mercado Pago notification about an id with capital letters is genuine if it is signed with the id %s',
  (signedId) => {
    const headers = {
      'x-request-id': 'some-id',
      'x-signature': signed(`id:${signedId};request-id:some-id;ts:${now};`),
    };
    expect(eventOf(headers, '2C938084')).toBe('irrelevant');
    expect(eventOf(headers, '2C938085')).toBeUndefined();
  },
);
