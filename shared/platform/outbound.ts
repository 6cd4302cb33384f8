/** How the service calls URLs that users give. */
import { type SafeFetch, type SafeOpen, safeFetch, safeOpen } from './safe-fetch.ts';
import type { Settings } from './settings.ts';
import { parseUserUrl, resolvesAcceptably, systemResolve } from './url-policy.ts';

export interface Outbound {
  /** A small response, whole. */
  readonly fetch: SafeFetch;
  /** A response whose body is a stream. */
  readonly open: SafeOpen;
  /** Whether a URL may be stored for later: of the right form, and not resolving to a private address now. */
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
