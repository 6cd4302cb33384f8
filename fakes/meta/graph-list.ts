/** Lists of the Graph API, which are paged by cursors. */
import { invalidParameter } from './graph-error.ts';
import { newestFirst } from './meta-world.ts';

interface Listed {
  readonly id: string;
  readonly at: number;
}

const longest = 100;
const usual = 25;

const cursorOf = ({ at, id }: Listed): string => Buffer.from(`${at} ${id}`).toString('base64url');

function positionIn(cursor: string): Listed {
  const [at = '', id] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (id === undefined || !/^\d+(\.\d+)?$/.test(at)) throw invalidParameter('Invalid cursor');
  return { at: Number(at), id };
}

export interface ListRequest {
  readonly query: URLSearchParams;
  /** The URL of the list, including the token, as in `next`. */
  readonly url: string;
}

/** Pages through a list, newest first; entries that are added or removed meanwhile do not affect the rest. */
export function graphList<Item extends Listed>(
  items: readonly Item[],
  { query, url }: ListRequest,
  view: (item: Item) => object,
): object {
  const limit = Math.min(Number(query.get('limit') ?? usual), longest);
  if (!(limit >= 1)) throw invalidParameter('limit must be positive');
  const after = query.get('after');
  const start = after === null ? undefined : positionIn(after);
  const rest = start ? items.filter((item) => newestFirst(start, item) < 0) : items;
  const shown = rest.slice(0, limit);
  const [first, last] = [shown.at(0), shown.at(-1)];
  if (!first || !last) return { data: [] };
  const cursors = { before: cursorOf(first), after: cursorOf(last) };
  const next = rest.length > limit ? { next: `${url}&limit=${limit}&after=${cursors.after}` } : {};
  return { data: shown.map(view), paging: { cursors, ...next } };
}
