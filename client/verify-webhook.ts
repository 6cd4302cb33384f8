/** Verifies that a webhook was recently signed by the service; receivers can import or copy this file. */

/** One of the public keys in the service's JWK Set; other kinds of keys are ignored. */
export interface WebhookKey {
  readonly kty: string;
  readonly crv?: string;
  readonly x?: string;
}

/** The response of `GET /.well-known/webhook-keys.json`, or its `keys`. */
export type WebhookKeySet = { readonly keys: readonly WebhookKey[] } | readonly WebhookKey[];

export interface WebhookRequest {
  /** The raw body, exactly as received: parsing and serializing it again would change it. */
  readonly body: string | Uint8Array;
  /** Headers by case-insensitive name, as Node has them, or as `Headers`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The keys, or where to get them: see `webhookKeys`. It is asked for fresh ones if no signature matches. */
  readonly keys: WebhookKeySet | ((fresh: boolean) => Promise<WebhookKeySet>);
  /** The webhook token of your API token: `X-Webhook-Token` must be equal. Without it, only the sender is proven. */
  readonly webhookToken?: string | undefined;
  /** The current time in milliseconds since the epoch; defaults to now. */
  readonly now?: number | undefined;
  /** How many seconds the timestamp may be in the past or future; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
}

export type WebhookRejection =
  | 'body is not text or bytes'
  | 'header missing or malformed'
  | 'timestamp too old'
  | 'timestamp too far ahead'
  | 'keys not available'
  | 'no usable key'
  | 'no matching signature'
  | 'wrong webhook token';

/**
 * The result. `id` is the same for every attempt at an event: store it to detect duplicates. `timestamp` is in Unix
 * seconds.
 */
export type WebhookVerdict =
  | { readonly ok: true; readonly id: string; readonly timestamp: number }
  | { readonly ok: false; readonly reason: WebhookRejection };

const algorithm = 'Ed25519';
const version = 'v1a,';
const utf8 = new TextEncoder();
const signatureBytes = 64;

/** Ids must not contain dots: the signed text joins id, timestamp and body by dots, so it would be ambiguous. */
const idForm = /^[^.\s]{1,256}$/;
const timestampForm = /^\d{1,12}$/;

const rejected = (reason: WebhookRejection): WebhookVerdict => ({ ok: false, reason });

/** All values of a header, by case-insensitive name. */
const valuesOf = (headers: WebhookRequest['headers'], name: string): string[] =>
  (headers instanceof Headers ? [...headers] : Object.entries(headers ?? {}))
    .filter(([given]) => given.toLowerCase() === name)
    .flatMap(([, value]) => value ?? [])
    .filter((value) => typeof value === 'string');

/** The value of a header that must be present exactly once and well-formed. */
function onlyValue(headers: WebhookRequest['headers'], name: string, form: RegExp): string | undefined {
  const [value = '', ...more] = valuesOf(headers, name);
  return more.length === 0 && form.test(value) ? value : undefined;
}

/** The bytes of canonical base64; none if the text is anything else. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(base64);
    return btoa(binary) === base64 ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}

/** The signatures of the supported version; others are ignored. */
const signaturesOf = (headers: WebhookRequest['headers']) =>
  valuesOf(headers, 'webhook-signature')
    .flatMap((value) => value.split(' '))
    .filter((part) => part.startsWith(version))
    .flatMap((part) => bytesOf(part.slice(version.length)) ?? [])
    .filter((bytes) => bytes.length === signatureBytes);

type PublicKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Importing a key of another kind or form fails. */
async function publicKeyOf({ kty, crv = '', x = '' }: WebhookKey): Promise<PublicKey[]> {
  try {
    return [await crypto.subtle.importKey('jwk', { kty, crv, x }, algorithm, false, ['verify'])];
  } catch {
    return [];
  }
}

async function publicKeysOf(keys: unknown): Promise<readonly PublicKey[]> {
  const list = [Array.isArray(keys) ? keys : (keys as { readonly keys?: unknown } | null)?.keys].flat();
  return (await Promise.all(list.map((key) => publicKeyOf(Object(key))))).flat();
}

/** How late the timestamp is, in whole seconds; NaN is never within the tolerance. */
function lateness(timestamp: number, { now = Date.now(), toleranceSeconds = 300 }: WebhookRequest) {
  const age = Math.floor(now / 1000) - timestamp;
  if (Math.abs(age) <= toleranceSeconds) return undefined;
  return age < 0 ? 'timestamp too far ahead' : 'timestamp too old';
}

/** Whether two secrets are equal. Only their hashes are compared, whose timing tells nothing about the secrets. */
async function isEqual(one: string, other: string): Promise<boolean> {
  const hash = async (text: string) => String(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(text))));
  return (await hash(one)) === (await hash(other));
}

/** Whether one of the signatures is by one of the keys. */
async function rejectionBy(
  keySet: WebhookKeySet,
  signed: Blob,
  signatures: readonly Uint8Array<ArrayBuffer>[],
): Promise<WebhookRejection | undefined> {
  const keys = await publicKeysOf(keySet);
  if (keys.length === 0) return 'no usable key';
  const bytes = await signed.arrayBuffer();
  for (const key of keys)
    for (const signature of signatures)
      if (await crypto.subtle.verify(algorithm, key, signature, bytes)) return undefined;
  return 'no matching signature';
}

/**
 * Verifies a webhook by its headers `webhook-id`, `webhook-timestamp` and `webhook-signature` (Standard Webhooks,
 * Ed25519). One valid signature by one of the keys is enough. Never throws, whatever was received. A valid signature
 * proves that the service sent these bytes, but not that they are for you: `webhookToken` proves that.
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookVerdict> {
  const { body, headers, keys, webhookToken } = request;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return rejected('body is not text or bytes');
  const id = onlyValue(headers, 'webhook-id', idForm);
  const seconds = onlyValue(headers, 'webhook-timestamp', timestampForm);
  if (id === undefined || seconds === undefined) return rejected('header missing or malformed');
  const late = lateness(Number(seconds), request);
  if (late) return rejected(late);
  const signed = new Blob([`${id}.${seconds}.`, typeof body === 'string' ? body : new Uint8Array(body)]);
  const signatures = signaturesOf(headers);
  const rejectionWith = async (fresh: boolean): Promise<WebhookRejection | undefined> => {
    try {
      return await rejectionBy(typeof keys === 'function' ? await keys(fresh) : keys, signed, signatures);
    } catch {
      return 'keys not available';
    }
  };
  let rejection = await rejectionWith(false);
  if (rejection && typeof keys === 'function') rejection = await rejectionWith(true);
  if (rejection) return rejected(rejection);
  const given = onlyValue(headers, 'x-webhook-token', /^/) ?? '';
  if (webhookToken !== undefined && !(await isEqual(given, webhookToken))) return rejected('wrong webhook token');
  return { ok: true, id, timestamp: Number(seconds) };
}
