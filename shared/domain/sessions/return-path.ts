/** Determines where a browser goes after a log-in: to the requested path, if it is a page of the dashboard. */
import { sessionRoot } from '../../contracts/operation.ts';

export const homePath = '/account/';

const base = 'https://dashboard.invalid';
const longest = 500;

/** The path and query of a dashboard page; the home page for anything else, especially for other sites. */
export function returnPath(requested: string | undefined): string {
  const url = requested !== undefined && requested.length <= longest ? URL.parse(requested, base) : null;
  const isPage = url?.origin === base && url.pathname.startsWith(homePath) && !url.pathname.startsWith(sessionRoot);
  return isPage ? `${url.pathname}${url.search}` : homePath;
}

/** The path with a `problem` parameter that says why the log-in failed. */
export function withProblem(path: string, problem: string): string {
  const url = new URL(path, base);
  url.searchParams.set('problem', problem);
  return `${url.pathname}${url.search}`;
}
