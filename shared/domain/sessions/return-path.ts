/** Determines where a browser goes after a log-in: to the requested path, if it is a page of the same application. */
import { operateRoot, sessionRoot } from '../../contracts/operation.ts';

/** The pages of an application: its home page, and the root of its operations, which are no pages. */
interface Pages {
  readonly home: string;
  readonly operations: string;
}

const ownerPages: Pages = { home: '/account/', operations: sessionRoot };
export const operatorPages: Pages = { home: '/operate/', operations: operateRoot };

export const homePath = ownerPages.home;

const base = 'https://dashboard.invalid';
const longest = 500;

/** The path and query of a page; the home page for anything else, especially for other sites. */
export function returnPath(requested: string | undefined, { home, operations }: Pages = ownerPages): string {
  const url = requested !== undefined && requested.length <= longest ? URL.parse(requested, base) : null;
  const isPage = url?.origin === base && url.pathname.startsWith(home) && !url.pathname.startsWith(operations);
  return isPage ? `${url.pathname}${url.search}` : home;
}

/** The path with a `problem` parameter that says why the log-in failed. */
export function withProblem(path: string, problem: string): string {
  const url = new URL(path, base);
  url.searchParams.set('problem', problem);
  return `${url.pathname}${url.search}`;
}
