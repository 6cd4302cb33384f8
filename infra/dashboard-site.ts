/** How every host serves the dashboard's pages: their addresses, security headers and caching. */

/** The pages are below this path, and so are their operations, below `api/`: all that their host serves. */
export const dashboardPath = '/account';

/** Results are the only content of another host. Styles are inline because Mantine writes `<style>` elements. */
const contentSecurityPolicy = (resultsOrigin: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: ${resultsOrigin}`,
    `media-src 'self' ${resultsOrigin}`,
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** How long browsers insist on TLS. */
export const tlsSeconds = 63_072_000;

export const siteHeaders = (resultsOrigin: string) => ({
  'Content-Security-Policy': contentSecurityPolicy(resultsOrigin),
  'Strict-Transport-Security': `max-age=${tlsSeconds}`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
});

/** Files whose name contains a hash of their content; their content never changes. */
const isHashed = (file: string): boolean => file.startsWith('assets/');

export const cacheControlOf = (file: string): string =>
  isHashed(file) ? 'public, max-age=31536000, immutable' : 'no-cache';

export const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  woff: 'font/woff',
};

/** The names of files that a path below {@link dashboardPath} may ask for; anything else there is a page. */
export const filePattern = /^(?:assets\/)?[\w-]+(?:\.[\w-]+)+$/;

/** The file for a path below {@link dashboardPath}: every page is `index.html`. Undefined for the operations. */
export function siteFileOf(path: string): string | undefined {
  if (path !== dashboardPath && !path.startsWith(`${dashboardPath}/`)) return undefined;
  const name = path.slice(dashboardPath.length + 1);
  if (name.startsWith('api/')) return undefined;
  return filePattern.test(name) ? name : 'index.html';
}
