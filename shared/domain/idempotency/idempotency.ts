/** Idempotency: what makes two requests the same, and what is stored of the first one's response. */
import { createHash, createHmac } from 'node:crypto';

/** How long a key stays bound to its first request. */
export const idempotencyHours = 24;

/** A request's key, and a digest of its content. */
export interface Idempotency {
  readonly key: string;
  readonly fingerprint: string;
  /** The operation that the client sent the key to, if another operation carries out part of its request. */
  readonly sentTo?: string;
}

/** The response stored for a key. */
export interface StoredResponse {
  readonly fingerprint: string;
  readonly status: number;
  /** The exact body of the response. */
  readonly body: string;
  /** The task that the response announced. */
  readonly taskId?: string;
}

/** Returned instead of a new response if the request's key already has one. */
export class Replay {
  readonly response: StoredResponse;
  constructor(response: StoredResponse) {
    this.response = response;
  }
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members: Readonly<Record<string, unknown>> = { ...value };
  const names = Object.keys(members).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(members[name])]));
};

/**
 * A digest of a value that is independent of the order of members. It includes the idempotency key, which is not
 * stored, so that values such as tax ids cannot be guessed from a stored digest.
 */
export const fingerprintOf = (value: unknown, key: string): string =>
  createHmac('sha256', key)
    .update(JSON.stringify(sorted(value)) ?? '')
    .digest('base64url');

export const idempotencyDigest = (key: string): string => createHash('sha256').update(key).digest('base64url');
