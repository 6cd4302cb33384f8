/** Where Meta's APIs are, and the sandbox that stands in for all of them. */
import type { PageNetwork } from '../social-login.ts';
import { NetworkFault, type PageAccess } from '../social-network.ts';

interface Hosts {
  readonly graph: string;
  /** Exchanges codes for tokens. */
  readonly tokens: string;
  /** Asks people for their consent. */
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

/** @throws {NetworkFault} if it is a sandbox, and there is none */
export function hostsOf({ channel, network }: PageNetwork, sandboxUrl: string): Hosts {
  if (network === 'meta') return metaHosts[channel];
  if (sandboxUrl === 'none') throw new NetworkFault('unsupported', 'this stage has no sandbox of social networks');
  const url = `${sandboxUrl}/${channel}`;
  return { graph: url, tokens: url, dialog: url };
}
