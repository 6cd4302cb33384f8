/** Which addresses users may give: judged by form, by literal IP and by what a name resolves to, without connecting. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { untilAborted } from './until-aborted.ts';

/** `local` differs from `public` in one thing: it also admits http to this machine, on an explicit port. */
export type UrlPolicy = 'public' | 'local';

/** All addresses of a name, in the order in which they should be tried; rejects when there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Counted in characters of the text and of its percent-encoded form. */
const MAX_URL_LENGTH = 2048;
const MAX_HOSTNAME_LENGTH = 253;
const RESOLVE_TIMEOUT_MS = 5000;

/** Control characters, white space, lone surrogates and backslashes: URL parsers disagree about each of them. */
const AMBIGUOUS_CHARACTER = /[\p{Cc}\p{Z}\p{Cs}\\]/u;
/** Scheme, both slashes, and an authority with neither userinfo nor percent-encoding. */
const PLAIN_AUTHORITY = /^https?:\/\/([^/?#@%]+)(?:[/?#]|$)/iu;
const THIS_MACHINE = /^(?:127\.0\.0\.1|localhost):\d+$/iu;
const DNS_LABEL = /^[a-z0-9_-]{1,63}$/u;
const PRIVATE_NAMES = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa'];

const GLOBAL_UNICAST_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Azure's host agent answers credentials on an address of the public range. */
const AZURE_HOST_AGENT = '168.63.129.16';

/** An IPv6 address stands in brackets, which stand nowhere else. */
const bareHostname = (url: URL): string => url.hostname.replaceAll(/[[\]]/gu, '');

/** True for a global unicast address in plain notation. A v4-mapped IPv6 address is judged as the IPv4 one it means. */
export const isPublicAddress = (ip: string): boolean => {
  const family = isIP(ip);
  if (family === 0 || ip.includes('%')) return false;
  // The library takes ::1.2.3.4 for ::ffff:1.2.3.4; written in hexadecimal, as a URL does, it cannot.
  const address = ipaddr.process(family === 6 ? bareHostname(new URL(`https://[${ip}]`)) : ip);
  if (address.kind() === 'ipv6' && !address.match(GLOBAL_UNICAST_IPV6)) return false;
  return address.range() === 'unicast' && address.toString() !== AZURE_HOST_AGENT;
};

const isPublicName = (hostname: string): boolean => {
  const labels = hostname.split('.');
  return (
    hostname.length <= MAX_HOSTNAME_LENGTH &&
    labels.length > 1 &&
    labels.every((label) => DNS_LABEL.test(label)) &&
    !PRIVATE_NAMES.some((name) => hostname.endsWith(`.${name}`))
  );
};

/** The addresses that a URL names by itself; undefined when its host is a name that must be resolved. */
export const literalAddresses = (url: URL): readonly string[] | undefined => {
  const host = bareHostname(url);
  // A fixed pair rather than the resolver's answer: development servers listen on either loopback address.
  if (host === 'localhost') return ['127.0.0.1', '::1'];
  return isIP(host) === 0 ? undefined : [host];
};

const isThisMachine = ({ hostname }: URL): boolean => hostname === '127.0.0.1' || hostname === 'localhost';

const isPublicHost = (url: URL): boolean => {
  const host = bareHostname(url);
  return isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host);
};

/**
 * The URL, when its form and its literal address are admitted (no name is resolved); undefined otherwise. What is
 * admitted stays admitted when it is written out with `href`, except port 80 of this machine, which `href` leaves out.
 */
export function parseUserUrl(text: string, policy: UrlPolicy): URL | undefined {
  const authority = PLAIN_AUTHORITY.exec(text)?.[1];
  if (authority === undefined || text.length > MAX_URL_LENGTH || AMBIGUOUS_CHARACTER.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || url.port === '0' || url.href.length > MAX_URL_LENGTH) return undefined;
  if (url.protocol === 'https:') return isPublicHost(url) ? url : undefined;
  // The text itself is matched, not what the parser made of it: 127.1 and 2130706433 are not what a developer writes.
  return policy === 'local' && THIS_MACHINE.test(authority) ? url : undefined;
}

/** The operating system's resolver, both families, IPv4 first because it is the one that works everywhere. */
export const systemResolve: Resolve = async (hostname) => {
  const asking = lookup(hostname, { all: true, order: 'ipv4first' });
  const answers = await untilAborted(asking, AbortSignal.timeout(RESOLVE_TIMEOUT_MS));
  return answers.map(({ address }) => address);
};

/**
 * For the moment a task is created: false when the URL is not admitted or its name resolves now to any address that is
 * not public; true also when it does not resolve, for it may by the time it is called.
 */
export async function resolvesAcceptably(url: URL, policy: UrlPolicy, resolve: Resolve): Promise<boolean> {
  // By its parts: written out, a URL of port 80 no longer names its port.
  if (!(policy === 'local' && url.protocol === 'http:' && isThisMachine(url))) {
    if (parseUserUrl(url.href, policy) === undefined) return false;
  }
  if (literalAddresses(url) !== undefined) return true;
  const addresses = await resolve(url.hostname).catch(() => []);
  return addresses.every(isPublicAddress);
}
