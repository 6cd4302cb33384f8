/** Requests to URLs that clients provide. */
import { systemResolve } from './resolve-name.ts';
import { type SafeFetch, type SafeOpen, safeFetch, safeOpen } from './safe-fetch.ts';
import type { Settings } from './settings.ts';
import { parseUserUrl, resolvesAcceptably } from './url-policy.ts';

export interface Outbound {
  /** Fetches a small response completely. */
  readonly fetch: SafeFetch;
  /** Opens a response whose body is a stream; a URL of the service's own files is read directly from its storage. */
  readonly open: SafeOpen;
  /**
   * Whether a URL may be stored for later use: it is well-formed and does not currently resolve to a private address.
   */
  admits(url: string): Promise<boolean>;
}

/** Matches only paths that every server interprets in the same way. */
const fileKey = /^\/(?:files|results)(?:\/[\w-][\w.-]*)+$/;

export function outbound({ settings }: { readonly settings: Settings }, resolve = systemResolve): Outbound {
  const policy = settings.urlPolicy;
  const { localFilesUrl } = settings;
  const openAny = safeOpen({ policy, resolve });
  const openOwn = safeOpen({ policy: 'local', resolve });
  const isOwnFile = (url: string): boolean =>
    url.startsWith(localFilesUrl) && fileKey.test(url.slice(localFilesUrl.length));
  return {
    fetch: safeFetch({ policy, resolve }),
    open: (url, request) => (isOwnFile(url) ? openOwn(url, { ...request, maxRedirects: 0 }) : openAny(url, request)),
    async admits(text) {
      const url = parseUserUrl(text, policy);
      return url !== undefined && (await resolvesAcceptably(url, policy, resolve));
    },
  };
}
