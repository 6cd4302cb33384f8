/** What an operation's inspection of a request has at hand, and what it leaves behind for the task. */
import type { UserAddress } from '../../contracts/user-addresses.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { FileFacts } from '../media/file-limits.ts';

export interface Inspection {
  readonly outbound: Outbound;
  /** The URLs that the request names. */
  readonly addresses: readonly UserAddress[];
  /** What was found out about files, by field: routes are chosen by it, and no longer file is worked on afterwards. */
  readonly files: Map<string, FileFacts>;
}
