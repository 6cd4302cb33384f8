/** The dashboard's cookies: names, attributes, and how a request's are read. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Channel } from '../contracts/channels.ts';
import type { Settings } from '../platform/settings.ts';
import { headerValues } from './exchange.ts';

type Where = Pick<Settings, 'dashboardUrl'>;

/** Only a local dashboard has no TLS; browsers differ in what they accept there. */
const isSecure = ({ dashboardUrl }: Where): boolean => !dashboardUrl.startsWith('http:');

const fullName = (name: string, where: Where): string => (isSecure(where) ? `__Host-${name}` : name);

/** A cookie of the request; undefined also if it is sent twice, since only one of the two can be ours. */
export function readCookie(event: APIGatewayProxyEvent, name: string, where: Where): string | undefined {
  const prefix = `${fullName(name, where)}=`;
  const pairs = headerValues(event, 'cookie').flatMap((header) => header.split(';'));
  const [value, ...more] = pairs.map((pair) => pair.trim()).filter((pair) => pair.startsWith(prefix));
  return more.length === 0 ? value?.slice(prefix.length) : undefined;
}

/** What `Set-Cookie` says. `Lax` lets a browser bring it when the identity provider sends it back. */
export const cookie = (name: string, value: string, maxAgeSeconds: number, where: Where): string =>
  [
    `${fullName(name, where)}=${value}`,
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure(where) ? ['Secure'] : []),
  ].join('; ');

export const sessionCookie = 'session';

/** What binds a log-in to the browser that began it. */
export const loginCookie = 'login';

/** What binds a network's consent to the browser in which its owner was asked for it. */
export const consentCookie = (channel: Channel): string => `consent-${channel}`;

/** The page to which a browser goes when the identity provider has sent it home. */
export const returnCookie = 'return';
