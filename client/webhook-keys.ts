/** Fetches the keys that webhooks are signed with, and keeps them as long as the service allows. */
import type { WebhookKeySet } from './verify-webhook.ts';

export interface WebhookKeysOptions {
  /** The base URL of the service, such as `https://api.example.com`. */
  readonly baseUrl: string;
  readonly fetch?: typeof globalThis.fetch;
  /** The current time in milliseconds since the epoch. */
  readonly now?: () => number;
}

const keepMs = 300_000;
/**
 * The shortest interval between two requests for the keys. A webhook with an unknown key causes one, and forged
 * webhooks must not cause many.
 */
const freshMs = 5000;
const timeoutMs = 10_000;

/** The `keys` option of `verifyWebhook`: call this once, not for each webhook. */
export function webhookKeys({ baseUrl, fetch = globalThis.fetch, now = Date.now }: WebhookKeysOptions) {
  let known: { readonly keys: WebhookKeySet; readonly at: number } | undefined;
  let asked: Promise<WebhookKeySet> | undefined;
  let askedAt = 0;

  const load = async (): Promise<WebhookKeySet> => {
    const url = `${baseUrl.replace(/\/+$/, '')}/.well-known/webhook-keys.json`;
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error(`${url} responded with ${response.status}.`);
    return (await response.json()) as WebhookKeySet;
  };
  return async (fresh: boolean): Promise<WebhookKeySet> => {
    // A request that fails leaves the known keys in use.
    if (!known || fresh || now() - known.at >= keepMs) {
      if (!asked || now() - askedAt >= freshMs) {
        askedAt = now();
        asked = load();
      }
      known = { at: askedAt, keys: await asked };
    }
    return known.keys;
  };
}
