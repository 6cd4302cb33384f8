/** Decides which URLs clients may provide, by their form, literal IP and resolved addresses, without connecting. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Resolve } from './resolve-name.ts';

/** `local` differs from `public` only in that it also allows http to this machine, on an explicit port. */
export type UrlPolicy = 'public' | 'local';

/** The longest URL, in characters, also in percent-encoded form. */
const MAX_URL_LENGTH = 2048;
const MAX_HOSTNAME_LENGTH = 253;

/** Control characters, white space, lone surrogates and backslashes: URL parsers disagree about all of them. */
const AMBIGUOUS_CHARACTER = /[\p{Cc}\p{Z}\p{Cs}\\]/u;
/** A scheme, two slashes, and an authority without userinfo or percent-encoding. */
const PLAIN_AUTHORITY = /^https?:\/\/([^/?#@%]+)(?:[/?#]|$)/iu;
const THIS_MACHINE = /^(?:127\.0\.0\.1|localhost):\d+$/iu;
const DNS_LABEL = /^[a-z0-9_-]{1,63}$/u;
const PRIVATE_NAMES = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa'];

const GLOBAL_UNICAST_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** The address of Azure's host agent, which hands out credentials and is in the public range. */
const AZURE_HOST_AGENT = '168.63.129.16';

/** Removes the brackets around an IPv6 address. */
const bareHostname = (url: URL): string => url.hostname.replaceAll(/[[\]]/gu, '');

/**
 * Whether an address is a global unicast address in plain notation. A v4-mapped IPv6 address is treated as its IPv4
 * address.
 */
export const isPublicAddress = (ip: string): boolean => {
  const family = isIP(ip);
  if (family === 0 || ip.includes('%')) return false;
  // Hexadecimal notation, as in URLs, avoids the library's confusion of ::1.2.3.4 with ::ffff:1.2.3.4.
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

/** The literal address of a URL's host; undefined if the host is a name that must be resolved. */
export const literalAddresses = (url: URL): readonly string[] | undefined => {
  const host = bareHostname(url);
  // `localhost` has fixed addresses instead of being resolved: development servers listen on either loopback address.
  if (host === 'localhost') return ['127.0.0.1', '::1'];
  return isIP(host) === 0 ? undefined : [host];
};

const isThisMachine = ({ hostname }: URL): boolean => hostname === '127.0.0.1' || hostname === 'localhost';

const isPublicHost = (url: URL): boolean => {
  const host = bareHostname(url);
  return isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host);
};

/**
 * Parses a URL and checks its form and any literal address, without resolving a name; undefined if it is not allowed.
 * An allowed URL stays allowed when serialized with `href`, except for port 80 of this machine, which `href` omits.
 */
export function parseUserUrl(text: string, policy: UrlPolicy): URL | undefined {
  const authority = PLAIN_AUTHORITY.exec(text)?.[1];
  if (authority === undefined || text.length > MAX_URL_LENGTH || AMBIGUOUS_CHARACTER.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || url.port === '0' || url.href.length > MAX_URL_LENGTH) return undefined;
  if (url.protocol === 'https:') return isPublicHost(url) ? url : undefined;
  // The original text is matched, not the parsed URL, so that 127.1 or 2130706433 is not accepted.
  return policy === 'local' && THIS_MACHINE.test(authority) ? url : undefined;
}

/**
 * Checks a URL when a task is created: false if it is not allowed or resolves to any private address. A name that does
 * not resolve is accepted, because it may resolve by the time it is used.
 */
export async function resolvesAcceptably(url: URL, policy: UrlPolicy, resolve: Resolve): Promise<boolean> {
  // URL components are compared, because a serialized URL omits port 80.
  if (!(policy === 'local' && url.protocol === 'http:' && isThisMachine(url))) {
    if (parseUserUrl(url.href, policy) === undefined) return false;
  }
  if (literalAddresses(url) !== undefined) return true;
  const addresses = await resolve(url.hostname).catch(() => []);
  return addresses.every(isPublicAddress);
}
