/** Maps refusals by a social network to rejections for the client. */
import type { Channel } from '../../contracts/channels.ts';
import type { NetworkFault, PageAccess } from '../../gateways/social-network.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { Rejection } from '../rejection.ts';
import { isNetworkFault } from './network-fault.ts';
import { accessOf } from './pages/connect-page.ts';
import { connectionBroken } from './pages/connected-pages.ts';
import type { Connection } from './pages/connection.ts';

/** How soon a social network that did not respond may be called again. */
const networkRetrySeconds = 10;

/** The number of whole seconds after which a refused call may succeed. */
export const retrySecondsAfter = ({ retryAfterSeconds }: Partial<Pick<NetworkFault, 'retryAfterSeconds'>>): number =>
  Math.max(1, Math.ceil(retryAfterSeconds ?? networkRetrySeconds));

const names: Readonly<Record<Channel, string>> = { instagram: 'Instagram', facebook: 'Facebook' };

export const replyWindowClosed = (): Rejection => new Rejection('reply-window-closed');

const unavailable = (fault: Pick<NetworkFault, 'message'> & Partial<NetworkFault>): Rejection =>
  new Rejection('dependency-unavailable', {
    message: 'The social network is not available: wait for the number of seconds in Retry-After.',
    internal: fault.message,
    retryAfterSeconds: retrySecondsAfter(fault),
  });

/** Decrypts a page's token for calls to its social network. An error here means that no call was made. */
export async function openAccess(
  needs: { readonly secretBox: SecretBox },
  connection: Connection,
): Promise<PageAccess> {
  try {
    return { ...(await accessOf(needs, connection)), isAwaited: true };
  } catch (error) {
    throw unavailable({ message: `the token cannot be opened: ${String(error)}` });
  }
}

export interface NetworkAction {
  /** The request field that the social network may object to. */
  readonly field: 'text' | 'commentId';
  /** What the page tried to do, as a phrase for the message. */
  readonly action: 'send messages' | 'write comments' | 'hide comments' | 'like comments' | 'read messages';
}

/** The rejection, if the social network did nothing; otherwise the error itself, because it may have done something. */
export function rejectedByNetwork(error: unknown, channel: Channel, { field, action }: NetworkAction): unknown {
  if (!isNetworkFault(error)) return error;
  const internal = error.message;
  switch (error.reason) {
    case 'throttled':
    case 'unavailable':
      return unavailable(error);
    case 'revoked':
      return connectionBroken();
    case 'window-closed':
      return replyWindowClosed();
    case 'not-found':
      return new Rejection('not-found', { internal });
    case 'unsupported':
      return new Rejection('invalid', {
        message: `${field}: ${names[channel]} does not let pages ${action}`,
        internal,
      });
    case 'rejected':
      // A rejected request may also be due to the page, or to the message or comment that is replied to.
      return new Rejection('invalid', {
        message: `${names[channel]} rejected the request, perhaps because of ${field}`,
        internal,
      });
    default:
      return error;
  }
}
