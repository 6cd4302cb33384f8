/** Reads the table of operations. */
import type { AnyRequest } from './call.ts';
import type { Paging } from './each-row.ts';
import { root } from './operations.ts';

/**
 * `paid` is a POST below `generate/` with an Idempotency-Key and dry runs, `key` another POST with a key, `safe` a
 * POST whose repetition has no further effect, `open` a GET without a token, and `rows` a list that pages.
 */
type Kind = 'paid' | 'key' | 'safe' | 'post' | 'delete' | 'open' | 'rows' | 'get';

export interface Route {
  readonly kind: Kind;
  readonly method: string;
  readonly path: string;
  readonly paging: Paging;
}

const methods: { readonly [Name in Kind]?: string } = { delete: 'DELETE', open: 'GET', rows: 'GET', get: 'GET' };

/** Reads an entry such as `rows tasks tasks`. */
export function routeOf(text: string): Route {
  const [kind, place, member, id = 'id'] = text.split(' ') as [Kind, string, string, string?];
  const path = kind === 'paid' ? `generate/${place}` : place;
  return { kind, method: methods[kind] ?? 'POST', path, paging: { member, id } };
}

export function urlOf(baseUrl: string, path: string, { params = {}, query = {} }: AnyRequest): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const url = new URL(baseUrl.replace(/\/+$/, '') + root + filled);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}
