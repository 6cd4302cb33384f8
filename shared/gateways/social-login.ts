/** The port to the log-ins of social networks, by which owners of pages let the service manage them. */
import type { GrantedToken, PageAccess } from './social-network.ts';

export type PageNetwork = Pick<PageAccess, 'channel' | 'network' | 'deadline'>;

export interface GrantedPage extends GrantedToken {
  /** The page's id; undefined if the token is for exactly one page, which must be requested with it. */
  readonly page?: { readonly pageId: string; readonly name: string };
}

export interface SocialLogin {
  /** The URL of the consent page; the browser returns to `redirectUrl` with a `code` and the same `state`. */
  authorizeUrl(network: PageNetwork, given: { readonly redirectUrl: string; readonly state: string }): string;
  /** Exchanges a code for the pages that it grants access to. @throws {NetworkFault} */
  pagesOf(network: PageNetwork, given: { readonly redirectUrl: string; readonly code: string }): Promise<GrantedPage[]>;
}
