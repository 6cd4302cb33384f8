/** How every host serves the dashboard's pages: paths, security headers and caching. */

/** The path prefix of the pages; `api/` below it contains their operations. Their host serves nothing else. */
export const dashboardPath = '/account';

/** The path prefix of the operators' pages, whose files are published with those of the dashboard. */
export const operatePath = '/operate';

/** The other hosts that the pages need. */
interface Elsewhere {
  /** The origin of results. */
  readonly results: string;
  /** Where the pages may send files to: the addresses of a bucket for uploads, or origins. */
  readonly uploads: readonly string[];
}

/** Inline styles are allowed because Mantine writes `<style>` elements. */
const contentSecurityPolicy = ({ results, uploads }: Elsewhere): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: ${results}`,
    `media-src 'self' blob: ${results}`,
    "font-src 'self'",
    // The pages read recordings to draw their waveforms.
    `connect-src 'self' ${[...new Set([results, ...uploads])].join(' ')}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** How long browsers must use TLS. */
export const tlsSeconds = 63_072_000;

export const siteHeaders = (elsewhere: Elsewhere) => ({
  'Content-Security-Policy': contentSecurityPolicy(elsewhere),
  'Strict-Transport-Security': `max-age=${tlsSeconds}`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
});

/** Whether a file's name contains a hash of its content, so that the content never changes. */
const isHashed = (file: string): boolean => file.startsWith('assets/');

export const cacheControlOf = (file: string): string =>
  isHashed(file) ? 'public, max-age=31536000, immutable' : 'no-cache';

export const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  woff2: 'font/woff2',
  woff: 'font/woff',
};

/** The page that all paths of operators show. */
export const operateFile = 'operate.html';

/** The file names that may be requested below {@link dashboardPath}; every other path there is a page. */
export const filePattern = /^(?:assets\/)?[\w-]+(?:\.[\w-]+)+$/;

const isBelow = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`);

/**
 * The file for a path below {@link dashboardPath}, where every page is `index.html`, or below {@link operatePath}, where
 * every path is one. Undefined for the operations.
 */
export function siteFileOf(path: string): string | undefined {
  if (isBelow(path, operatePath)) return path.startsWith(`${operatePath}/api/`) ? undefined : operateFile;
  if (!isBelow(path, dashboardPath)) return undefined;
  const name = path.slice(dashboardPath.length + 1);
  if (name.startsWith('api/')) return undefined;
  return filePattern.test(name) ? name : 'index.html';
}
