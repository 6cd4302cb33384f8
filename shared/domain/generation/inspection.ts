/** What an operation's inspection of a request has at hand, and what it leaves behind for the task. */
import type { UserAddress } from '../../contracts/user-addresses.ts';
import type { Outbound } from '../../platform/outbound.ts';

export interface Inspection {
  readonly outbound: Outbound;
  /** The URLs that the request names. */
  readonly addresses: readonly UserAddress[];
  /** The seconds that were measured, by field: no longer file is worked on afterwards. */
  readonly measuredSeconds: Map<string, number>;
}
