/**
 * Observes the attempts of a call, to know whether it may have had an effect: its last error alone does not show this.
 */

export interface WatchedFetch {
  readonly fetch: typeof globalThis.fetch;
  /** Whether any attempt with the key may have had an effect. Removes the key. */
  readonly takeEffect: (idempotencyKey: string) => boolean;
}

/**
 * Whether the request was rejected by the service itself. After a rejection by a proxy, the service may still perform
 * the request.
 */
async function isRejection(response: Response): Promise<boolean> {
  if (response.status < 400 || response.status === 500) return false;
  try {
    const { success } = (await response.clone().json()) as { success?: unknown };
    return success === false;
  } catch {
    return false;
  }
}

export function watchedFetch(fetch: typeof globalThis.fetch): WatchedFetch {
  const keys = new Set<string>();
  return {
    fetch: async (input, init) => {
      const key = new Headers(init?.headers).get('idempotency-key');
      if (key === null) return fetch(input, init);
      const wasKnown = keys.has(key);
      keys.add(key);
      const response = await fetch(input, init);
      if (!wasKnown && (await isRejection(response))) keys.delete(key);
      return response;
    },
    takeEffect: (key) => keys.delete(key),
  };
}
