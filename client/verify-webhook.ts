/** Verifies that a webhook was recently signed by the service; receivers can import or copy this file. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** One of the public keys in the service's JWK Set; other kinds of keys are ignored. */
export interface WebhookKey {
  readonly kty: string;
  readonly crv?: string;
  readonly x?: string;
}

export interface WebhookRequest {
  /** The raw body, exactly as received: parsing and serializing it again would change it. */
  readonly body: string | Uint8Array;
  /** Headers by case-insensitive name; pass fetch `Headers` as `Object.fromEntries(headers)`. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The response of `GET /.well-known/webhook-keys.json`, or its `keys`. */
  readonly keys: { readonly keys: readonly WebhookKey[] } | readonly WebhookKey[];
  /** The current time in milliseconds since the epoch; defaults to now. */
  readonly now?: number;
  /** How many seconds the timestamp may be in the past or future; 300 by default. */
  readonly toleranceSeconds?: number;
}

export type WebhookRejection =
  | 'body is not text or bytes'
  | 'header missing or malformed'
  | 'timestamp too old'
  | 'timestamp too far ahead'
  | 'no usable key'
  | 'no matching signature';

/**
 * The result. `id` is the same for every attempt at an event: store it to detect duplicates. `timestamp` is in Unix
 * seconds.
 */
export type WebhookVerdict =
  | { readonly ok: true; readonly id: string; readonly timestamp: number }
  | { readonly ok: false; readonly reason: WebhookRejection };

const version = 'v1a,';
const signatureBytes = 64;

/** Ids must not contain dots: the signed text joins id, timestamp and body by dots, so it would be ambiguous. */
const idForm = /^[^.\s]{1,256}$/;
const timestampForm = /^\d{1,12}$/;

const rejected = (reason: WebhookRejection): WebhookVerdict => ({ ok: false, reason });

/** All values of a header, by case-insensitive name. */
const valuesOf = (headers: WebhookRequest['headers'], name: string): string[] =>
  Object.entries(headers ?? {})
    .filter(([given]) => given.toLowerCase() === name)
    .flatMap(([, value]) => value ?? [])
    .filter((value) => typeof value === 'string');

/** The value of a header that must be present exactly once and well-formed. */
function onlyValue(headers: WebhookRequest['headers'], name: string, form: RegExp): string | undefined {
  const [value = '', ...more] = valuesOf(headers, name);
  return more.length === 0 && form.test(value) ? value : undefined;
}

/** The signatures of the supported version; others are ignored. */
function signaturesOf(headers: WebhookRequest['headers']): readonly Buffer[] {
  const parts = valuesOf(headers, 'webhook-signature').flatMap((value) => value.split(' '));
  return parts
    .filter((part) => part.startsWith(version))
    .map((part) => ({ text: part.slice(version.length), bytes: Buffer.from(part.slice(version.length), 'base64') }))
    .filter(({ text, bytes }) => bytes.length === signatureBytes && bytes.toString('base64') === text)
    .map(({ bytes }) => bytes);
}

function publicKeyOf(key: WebhookKey | null | undefined): KeyObject[] {
  if (key?.kty !== 'OKP' || key.crv !== 'Ed25519' || typeof key.x !== 'string') return [];
  try {
    return [createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' })];
  } catch {
    return [];
  }
}

function publicKeysOf(keys: WebhookRequest['keys']): readonly KeyObject[] {
  const list: unknown = Array.isArray(keys) ? keys : (keys as { readonly keys?: unknown } | null)?.keys;
  return Array.isArray(list) ? list.flatMap(publicKeyOf) : [];
}

/** How late the timestamp is, in whole seconds; NaN is never within the tolerance. */
function lateness(timestamp: number, { now = Date.now(), toleranceSeconds = 300 }: WebhookRequest) {
  const age = Math.floor(now / 1000) - timestamp;
  if (Math.abs(age) <= toleranceSeconds) return undefined;
  return age < 0 ? 'timestamp too far ahead' : 'timestamp too old';
}

/**
 * Verifies a webhook by its headers `webhook-id`, `webhook-timestamp` and `webhook-signature` (Standard Webhooks,
 * Ed25519). One valid signature by one of the keys is enough. Never throws, whatever was received. A valid signature
 * proves that the service sent these bytes, but not that they are for you: `X-Webhook-Token` proves that.
 */
export function verifyWebhook(request: WebhookRequest): WebhookVerdict {
  const { body, headers } = request;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return rejected('body is not text or bytes');
  const id = onlyValue(headers, 'webhook-id', idForm);
  const seconds = onlyValue(headers, 'webhook-timestamp', timestampForm);
  const signatures = signaturesOf(headers);
  if (id === undefined || seconds === undefined) return rejected('header missing or malformed');
  const late = lateness(Number(seconds), request);
  if (late) return rejected(late);
  const keys = publicKeysOf(request.keys);
  if (keys.length === 0) return rejected('no usable key');
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const signed = Buffer.concat([Buffer.from(`${id}.${seconds}.`), bytes]);
  const matches = signatures.some((signature) => keys.some((key) => verify(null, signed, key, signature)));
  return matches ? { ok: true, id, timestamp: Number(seconds) } : rejected('no matching signature');
}
