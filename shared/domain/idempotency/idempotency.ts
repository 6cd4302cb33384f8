/** Idempotency: what makes a request the same as an earlier one, and what is stored of the earlier one's response. */
import { createHash, createHmac } from 'node:crypto';

/** How long a key is bound to its first request. */
export const idempotencyHours = 24;

/** A request's key and a digest of what it asks for. */
export interface Idempotency {
  readonly key: string;
  readonly fingerprint: string;
}

/** The stored response of a key. */
export interface StoredResponse {
  readonly fingerprint: string;
  readonly status: number;
  /** The exact body that was sent. */
  readonly body: string;
  /** The task that the response announced. */
  readonly taskId?: string;
}

/** Returned in place of a new response: the request's key already has one. */
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
 * Equal for two values that say the same, whatever the order of their members, under the same idempotency key. The key
 * itself is stored nowhere: without it nobody can tell by trial what a stored fingerprint was made of, such as a tax id.
 */
export const fingerprintOf = (value: unknown, key: string): string =>
  createHmac('sha256', key)
    .update(JSON.stringify(sorted(value)) ?? '')
    .digest('base64url');

export const idempotencyDigest = (key: string): string => createHash('sha256').update(key).digest('base64url');
