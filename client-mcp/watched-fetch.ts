/** Learns from the attempts of a call whether it can have had an effect, which its last error alone does not tell. */

export interface WatchedFetch {
  readonly fetch: typeof globalThis.fetch;
  /** Whether any attempt with the key can have had an effect. Forgets the key. */
  readonly takeEffect: (idempotencyKey: string) => boolean;
}

/** Whether the service itself rejected the request, and not a proxy, after which the request may still be carried out. */
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
