/** The port to the log-ins of social networks, by which the owners of pages let the service act for them. */
import type { GrantedToken, PageAccess } from './social-network.ts';

export type PageNetwork = Pick<PageAccess, 'channel' | 'network' | 'deadline'>;

export interface GrantedPage extends GrantedToken {
  /** Undefined if it is the only one, and yet to be asked for by its token. */
  readonly page?: { readonly pageId: string; readonly name: string };
}

export interface SocialLogin {
  /** Where a browser goes; it returns to `redirectUrl` with a `code` and the same `state`. */
  authorizeUrl(network: PageNetwork, given: { readonly redirectUrl: string; readonly state: string }): string;
  /** The pages that a code grants. @throws {NetworkFault} */
  pagesOf(network: PageNetwork, given: { readonly redirectUrl: string; readonly code: string }): Promise<GrantedPage[]>;
}
