/** How every payment gateway is searched for what has changed there. */

/** Something of one of this service's orders, reported in a way that the service does not understand. */
export interface Unreadable {
  /** What the gateway reads to report it again. */
  readonly subject: string;
  readonly error: Error;
}

/**
 * Those of this service's orders that were made or have changed since then, and before `until` if it is given, in any
 * order, some of them possibly twice. Ends early if `isOver` says so, which is asked before each request.
 */
export type ChangedSince<Found> = (
  at: number,
  until?: number,
  isOver?: () => boolean,
) => AsyncGenerator<Found | Unreadable>;
