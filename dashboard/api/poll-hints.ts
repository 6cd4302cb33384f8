/** When the service asked to poll each query again. */

/** An operation's id and its request, which identify a query. */
type QueryKey = readonly unknown[];

interface Query {
  readonly queryKey: QueryKey;
}

const hints = new Map<string, number>();

/** How long to wait if a response about open tasks came without a suggestion. */
const usualMs = 2000;

export const notePollHint = (queryKey: QueryKey, seconds: number): void =>
  void hints.set(JSON.stringify(queryKey), 1000 * seconds);

/** How many milliseconds to wait before polling the open tasks of a query again, from its latest response. */
export const pollHintMs = ({ queryKey }: Query): number => hints.get(JSON.stringify(queryKey)) ?? usualMs;

/**
 * How late a person who watches a task may see its end: after at most a quarter of the time that the task took, or a
 * second.
 */
const watching = { least: 1000, share: 0.25 } as const;

/**
 * When to poll a task that a person watches: the service's hint is an estimate from earlier tasks, which is far off
 * for the first ones.
 */
export function watchedPollMs(query: Query, { createdAt }: { readonly createdAt: string }, now = Date.now()): number {
  const age = now - Date.parse(createdAt);
  return Math.min(pollHintMs(query), Math.max(watching.least, watching.share * age));
}
