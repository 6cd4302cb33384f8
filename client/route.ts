/** Reads the table of operations. */
import type { AnyRequest } from './call.ts';
import type { Paging } from './each-row.ts';
import { root } from './operations.ts';

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly isPublic: boolean;
  readonly takesKey: boolean;
  readonly hasDryRun: boolean;
  /** Whether repeating the call has no further effect, even without a key. */
  readonly isRepeatable: boolean;
  readonly paging: Paging | undefined;
}

/** Reads an entry such as `GET /tasks rows:tasks:id`. */
export function routeOf(text: string): Route {
  const [method = '', path = '', ...abilities] = text.split(' ');
  const [, member, id = ''] = abilities.find((ability) => ability.startsWith('rows:'))?.split(':') ?? [];
  return {
    method,
    path,
    isPublic: abilities.includes('public'),
    takesKey: abilities.includes('key'),
    hasDryRun: abilities.includes('dry-run'),
    isRepeatable: method !== 'POST' || abilities.includes('repeatable'),
    paging: member === undefined ? undefined : { member, id },
  };
}

export function urlOf(baseUrl: string, path: string, { params = {}, query = {} }: AnyRequest): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const url = new URL(baseUrl.replace(/\/+$/, '') + root + filled);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}
