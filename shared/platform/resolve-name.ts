/** Resolves the names of hosts. */
import { Resolver } from 'node:dns/promises';

/** Resolves a name to all of its addresses, in the order in which to try them; rejects if there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** How long one name server may take, and how often each is asked. */
const eachTry = { timeout: 2000, tries: 2 };
const defaultLimitMs = 5000;

/**
 * A resolver for both families; IPv4 comes first because it works everywhere. Each name has sockets of its own: the
 * operating system's resolver blocks one of the few threads that all names share, so that a few names whose servers
 * keep silent would keep all others waiting. By default, it asks the operating system's name servers.
 */
export const resolverAt =
  (servers?: readonly string[], limitMs = defaultLimitMs): Resolve =>
  async (hostname) => {
    const resolver = new Resolver(eachTry);
    if (servers) resolver.setServers(servers);
    const limit = setTimeout(() => resolver.cancel(), limitMs);
    try {
      const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length > 0) return addresses;
      throw new Error('the name has no addresses');
    } finally {
      clearTimeout(limit);
    }
  };

export const systemResolve = resolverAt();
