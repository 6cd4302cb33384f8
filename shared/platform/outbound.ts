/** Requests to URLs provided by users. */
import { type SafeFetch, type SafeOpen, safeFetch, safeOpen } from './safe-fetch.ts';
import type { Settings } from './settings.ts';
import { parseUserUrl, resolvesAcceptably, systemResolve } from './url-policy.ts';

export interface Outbound {
  /** Fetches a small response completely. */
  readonly fetch: SafeFetch;
  /** Opens a response whose body is a stream. */
  readonly open: SafeOpen;
  /** Whether a URL may be stored for later: it is well-formed, and does not currently resolve to a private address. */
  admits(url: string): Promise<boolean>;
}

export function outbound({ settings }: { readonly settings: Settings }, resolve = systemResolve): Outbound {
  const policy = settings.urlPolicy;
  return {
    fetch: safeFetch({ policy, resolve }),
    open: safeOpen({ policy, resolve }),
    async admits(text) {
      const url = parseUserUrl(text, policy);
      return url !== undefined && (await resolvesAcceptably(url, policy, resolve));
    },
  };
}
