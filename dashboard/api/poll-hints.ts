/** When the service asked to poll each query again. */

/** An operation's id and its request, which identify a query. */
type QueryKey = readonly unknown[];

const hints = new Map<string, number>();

/** How long to wait if a response about open tasks came without a hint. */
const usualMs = 2000;

export const notePollHint = (queryKey: QueryKey, seconds: number): void =>
  void hints.set(JSON.stringify(queryKey), 1000 * seconds);

/** How many milliseconds to wait before polling the open tasks of a query again, from its latest response. */
export const pollHintMs = ({ queryKey }: { readonly queryKey: QueryKey }): number =>
  hints.get(JSON.stringify(queryKey)) ?? usualMs;
