/** How payment gateways are searched for changes. */

/** An object that cannot be parsed, and that belongs, or may belong, to one of this service's orders. */
export interface Unreadable {
  /** The id by which the object can be read again, unless it is the id of an event. */
  readonly subject: string;
  readonly error: Error;
}

/**
 * Yields this service's objects that were created or changed since a time, and before `until` if given, in any order
 * and possibly repeated. Ends early if `isOver`, which is called before each request, returns true.
 */
export type ChangedSince<Found> = (
  at: number,
  until?: number,
  isOver?: () => boolean,
) => AsyncGenerator<Found | Unreadable>;
