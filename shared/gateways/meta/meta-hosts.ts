/** The base URLs of Meta's APIs, and of the sandbox that replaces them. */
import type { PageNetwork } from '../social-login.ts';
import { NetworkFault, type PageAccess } from '../social-network.ts';

interface Hosts {
  readonly graph: string;
  /** The base URL of the API that exchanges codes for tokens. */
  readonly tokens: string;
  /** The base URL of the pages that ask users for consent. */
  readonly dialog: string;
}

const metaHosts: Readonly<Record<PageAccess['channel'], Hosts>> = {
  instagram: {
    graph: 'https://graph.instagram.com',
    tokens: 'https://api.instagram.com',
    dialog: 'https://www.instagram.com',
  },
  facebook: {
    graph: 'https://graph.facebook.com',
    tokens: 'https://graph.facebook.com',
    dialog: 'https://www.facebook.com',
  },
};

/** The hosts for a page. @throws {NetworkFault} if the page is on the sandbox network and the stage has no sandbox */
export function hostsOf({ channel, network }: PageNetwork, sandboxUrl: string): Hosts {
  if (network === 'meta') return metaHosts[channel];
  if (sandboxUrl === 'none') throw new NetworkFault('unsupported', 'this stage has no sandbox of social networks');
  const url = `${sandboxUrl}/${channel}`;
  return { graph: url, tokens: url, dialog: url };
}
