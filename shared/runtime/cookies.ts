/** The cookies of the dashboard and of the operators' pages: names, attributes and parsing. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Channel } from '../contracts/channels.ts';
import type { Settings } from '../platform/settings.ts';
import { headerValues } from './exchange.ts';

type Where = Pick<Settings, 'dashboardUrl'>;

/** Only a local dashboard is served without TLS, where browsers differ in whether they accept `Secure` cookies. */
const isSecure = ({ dashboardUrl }: Where): boolean => !dashboardUrl.startsWith('http:');

/** Operators' cookies are sent to their own pages only, and that of a view to the operations of the dashboard. */
function pathOf(name: string): string {
  if (name === viewCookie) return '/account/api';
  return name.startsWith(operatorCookie) ? '/operate' : '/';
}

/** Browsers accept the prefix `__Host-` only for the path of the whole host. */
function fullName(name: string, where: Where): string {
  if (!isSecure(where)) return name;
  return `${pathOf(name) === '/' ? '__Host-' : '__Secure-'}${name}`;
}

/** The value of a cookie; undefined if it is sent twice, since only one of the two can be authentic. */
export function readCookie(event: APIGatewayProxyEvent, name: string, where: Where): string | undefined {
  const prefix = `${fullName(name, where)}=`;
  const pairs = headerValues(event, 'cookie').flatMap((header) => header.split(';'));
  const [value, ...more] = pairs.map((pair) => pair.trim()).filter((pair) => pair.startsWith(prefix));
  return more.length === 0 ? value?.slice(prefix.length) : undefined;
}

/**
 * The value of `Set-Cookie`. The attribute `SameSite` is `Lax`, because the cookie must arrive with the identity
 * provider's redirect; those of an operator's session and of a view are sent only by pages.
 */
export const cookie = (name: string, value: string, maxAgeSeconds: number, where: Where): string =>
  [
    `${fullName(name, where)}=${value}`,
    `Path=${pathOf(name)}`,
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    `SameSite=${name === operatorCookie || name === viewCookie ? 'Strict' : 'Lax'}`,
    ...(isSecure(where) ? ['Secure'] : []),
  ].join('; ');

export const sessionCookie = 'session';

/** The session of an operator. */
export const operatorCookie = 'operator';
export const operatorLoginCookie = `${operatorCookie}-login`;
export const operatorReturnCookie = `${operatorCookie}-return`;

/** An operator's view of an account. A request uses it only if the header `X-View` has the id of the view. */
export const viewCookie = 'view';

/** Ties a log-in to the browser that began it. */
export const loginCookie = 'login';

/** Ties a social network's consent page to the browser that was sent there. */
export const consentCookie = (channel: Channel): string => `consent-${channel}`;

/** Remembers which page to show after the identity provider has redirected the browser back. */
export const returnCookie = 'return';
