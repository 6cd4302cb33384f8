/** The dashboard's pages as browsers receive them: their sizes and headers, and URLs that are not pages. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { buildDashboard, builtFolder as folder } from '../../../../infra/local/dashboard/build-dashboard.ts';
import { dashboardPage } from '../../../../infra/local/dashboard/dashboard-page.ts';
import { localServer } from '../../../support/local-server.ts';

let builds = 0;

/** The first build fails, as it would while a source file is being edited. */
async function build(): Promise<void> {
  builds += 1;
  if (builds === 1) throw new Error('a source does not compile');
}

await buildDashboard();
const page = dashboardPage({
  folder,
  build,
  resultsOrigin: () => 'https://results.example.com',
  uploadOrigins: async () => ['https://uploads.example.com'],
  elsewhere: (host) => (host === new URL(server.url).host.replace('127.0.0.1', 'localhost') ? server.url : undefined),
});
const server = await localServer((request, response) => {
  page(request, response, 'request-1').then(
    (isSent) => isSent || response.writeHead(404).end('from the gateway'),
    () => response.writeHead(500).end(),
  );
});
afterAll(() => server.close());

const get = async (path: string, method = 'GET') => {
  const response = await fetch(server.url + path, { method });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

test('a failed dashboard build is retried at the next request, and not again once it has succeeded', async () => {
  expect([(await get('/account')).status, builds]).toEqual([500, 1]);
  await Promise.all([get('/account'), get('/account/tasks'), get('/account/')]);
  expect(builds).toBe(2);
});

/** The scripts that an owner's pages load, at once or later. */
function scriptsOfOwners(): readonly string[] {
  const found = new Set<string>();
  const follow = (file: string) => {
    for (const [name] of readFileSync(join(folder, file), 'utf8').matchAll(/[\w-]+-[\w-]{8}\.js/g)) {
      if (found.has(`assets/${name}`) || !existsSync(join(folder, 'assets', name))) continue;
      found.add(`assets/${name}`);
      follow(`assets/${name}`);
    }
  };
  follow('index.html');
  return [...found];
}

test('all JavaScript of the owners’ pages is less than 278 KB when compressed, and that of the playground at most 20 KB more', () => {
  const isOfPlayground = (file: string) => /^assets\/playground-.*\.js$/.test(file);
  const bytesOf = (files: readonly string[]) =>
    files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).byteLength, 0);
  const scripts = scriptsOfOwners();
  const others = bytesOf(scripts.filter((file) => !isOfPlayground(file)));
  expect(others).toBeGreaterThan(100_000);
  expect(others).toBeLessThan(278 * 1024);
  // Only the page of the playground loads the code of the playground.
  const playground = bytesOf(scripts.filter(isOfPlayground));
  expect(playground).toBeGreaterThan(5000);
  expect(playground).toBeLessThanOrEqual(20 * 1024);
});

test.for([
  '/account',
  '/account/',
  '/account/tasks',
  '/account/tasks/0193a5c4-8f0f-7aa2-b1c3-1d2e3f405162',
  '/account/apiary',
])('%s is a page that caches must revalidate and that allows no third-party code', async (path) => {
  const { status, headers, text } = await get(path);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(text).toContain('<div id="root">');
  expect(headers.get('cache-control')).toBe('no-cache');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  const policy = (headers.get('content-security-policy') ?? '').split('; ');
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("img-src 'self' data: blob: https://results.example.com");
  expect(policy).toContain("connect-src 'self' https://results.example.com https://uploads.example.com");
});

test('the dashboard runs scripts from files only, as its policy requires', async () => {
  const scripts = [...(await get('/account')).text.matchAll(/<script\b([^>]*)>([^<]*)<\/script>/g)];
  expect(scripts.length).toBeGreaterThan(1);
  for (const [, attributes = '', inline] of scripts) {
    expect([/ src="\/account\//.test(attributes), inline]).toEqual([true, '']);
  }
});

test('dashboard files whose name contains their hash are cached permanently', async () => {
  const assets = globSync('assets/*.{js,css,woff2}', { cwd: folder });
  expect(new Set(assets.map((file) => file.split('.').at(-1)))).toEqual(new Set(['js', 'css', 'woff2']));
  for (const file of assets) {
    const { status, headers } = await get(`/account/${file}`, 'HEAD');
    expect([file, status, headers.get('cache-control')]).toEqual([file, 200, 'public, max-age=31536000, immutable']);
    expect(headers.get('content-type')).toMatch(/^(text\/(javascript|css); charset=utf-8|font\/woff2)$/);
  }
});

test('a dashboard page requested at the API’s host redirects to the dashboard’s host, with its query', async () => {
  const apiUrl = server.url.replace('127.0.0.1', 'localhost');
  const response = await fetch(`${apiUrl}/account/tasks?status=failed`, { redirect: 'manual' });
  const { status, headers } = response;
  expect([status, headers.get('location')]).toEqual([302, `${server.url}/account/tasks?status=failed`]);
});

test.for([
  ['GET', '/account/assets/missing.js'],
  ['GET', '/account/api/session'],
  ['GET', '/account/api/unknown/route'],
  ['GET', '/accounts'],
  ['GET', '/'],
  ['POST', '/account/tasks'],
] as const)('the dashboard’s host passes %s %s on to the gateway', async ([method, path]) => {
  expect(await get(path, method)).toMatchObject({ status: 404, text: 'from the gateway' });
});

test('no URL path leads out of the folder of the dashboard’s pages', async () => {
  for (const path of [
    '/account/..%2fpackage.json',
    '/account/assets/..%2f..%2fpackage.json',
    '/account/....package.json',
  ]) {
    expect((await get(path)).text).not.toContain('"dependencies"');
  }
});
