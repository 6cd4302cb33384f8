/** How the service speaks to addresses that users give. */
import { type SafeFetch, safeFetch } from './safe-fetch.ts';
import type { Settings } from './settings.ts';
import { parseUserUrl, resolvesAcceptably, systemResolve } from './url-policy.ts';

export interface Outbound {
  readonly fetch: SafeFetch;
  /** Whether an address may be kept for later: of the right form, and not resolving to a private address now. */
  admits(url: string): Promise<boolean>;
}

export function outbound({ settings }: { readonly settings: Settings }, resolve = systemResolve): Outbound {
  const policy = settings.urlPolicy;
  return {
    fetch: safeFetch({ policy, resolve }),
    async admits(text) {
      const url = parseUserUrl(text, policy);
      return url !== undefined && (await resolvesAcceptably(url, policy, resolve));
    },
  };
}
