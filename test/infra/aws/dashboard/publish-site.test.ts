/** Publishing the pages: what browsers receive, and that no page is published before the files that it needs. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { publishSite } from '../../../../infra/aws/dashboard/publish-site.ts';

const folder = mkdtempSync(join(tmpdir(), 'pages-'));
mkdirSync(join(folder, 'assets'));
for (const file of ['index.html', 'favicon.svg', 'assets/index-1.js', 'assets/style-1.css', 'assets/inter.woff2'])
  writeFileSync(join(folder, file), `content of ${file}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Put {
  readonly url: string;
  readonly type: string | null;
  readonly caching: string | null;
  readonly body: string;
}

/** Returns two keys per page of the list. */
function listing(stored: ReadonlyMap<string, string>, query: URLSearchParams): string {
  const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? ''];
  const keys = [...stored.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
  const contents = keys.slice(0, 2).map((key) => `<Contents><Key>${key}</Key></Contents>`);
  return `<ListBucketResult><IsTruncated>${keys.length > 2}</IsTruncated>${contents.join('')}</ListBucketResult>`;
}

function recordingBucket(statusOf: (url: string) => number = () => 200) {
  const puts: Put[] = [];
  const stored = new Map<string, string>();
  async function respond(request: Request, key: string): Promise<Response> {
    const { headers, method, url } = request;
    if (method === 'PUT') {
      const body = await request.text();
      puts.push({ url, type: headers.get('content-type'), caching: headers.get('cache-control'), body });
      if (statusOf(url) === 200) stored.set(key, body);
      return new Response('', { status: statusOf(url) });
    }
    if (method === 'DELETE') return new Response(null, { status: stored.delete(key) ? 204 : 500 });
    const found = key === '' ? listing(stored, new URL(url).searchParams) : stored.get(key);
    return new Response(found, { status: found === undefined ? 404 : 200 });
  }
  const client = {
    fetch: (input: Request | string | URL, init?: RequestInit | null) => {
      const request = new Request(input, init as RequestInit);
      return respond(request, new URL(request.url).pathname.slice(1));
    },
  };
  return { puts, stored, client };
}

const bucketUrl = 'https://bucket.example';
const now = Date.UTC(2026, 10, 23);
const day = 24 * 3_600_000;
const forEver = 'public, max-age=31536000, immutable';

test('dashboard files are uploaded with their content types, files with hashed names to be cached permanently, and pages last', async () => {
  const { puts, client } = recordingBucket();
  expect(await publishSite({ folder, bucketUrl, client, now })).toBe(5);
  const pages = puts.filter(({ url }) => url.includes('/account/'));
  expect(pages.map(({ url, type, caching }) => [url.slice(bucketUrl.length), type, caching])).toEqual([
    ['/account/assets/index-1.js', 'text/javascript; charset=utf-8', forEver],
    ['/account/assets/inter.woff2', 'font/woff2', forEver],
    ['/account/assets/style-1.css', 'text/css; charset=utf-8', forEver],
    ['/account/favicon.svg', 'image/svg+xml', 'no-cache'],
    ['/account/index.html', 'text/html; charset=utf-8', 'no-cache'],
  ]);
  expect(pages.at(-1)?.body).toBe('content of index.html');
});

test('a dashboard file that the bucket rejects ends the publication before any page is replaced', async () => {
  const { puts, client } = recordingBucket((url) => (url.endsWith('.css') ? 403 : 200));
  await expect(publishSite({ folder, bucketUrl, client, now })).rejects.toThrow(
    'the bucket responded to assets/style-1.css with 403',
  );
  expect(puts.filter(({ url }) => url.endsWith('.html'))).toEqual([]);
});

test('files of earlier dashboard versions are deleted 30 days after they were replaced, unless they are used again', async () => {
  const { stored, client } = recordingBucket();
  const old = ['account/assets/index-0.js', 'account/assets/style-0.css', 'account/assets/z-0.woff2'];
  for (const key of [...old, 'account/old.html']) stored.set(key, 'old');
  const publishOn = (days: number) => publishSite({ folder, bucketUrl, client, now: now + days * day });
  const present = () => old.filter((key) => stored.has(key));
  await publishOn(0);
  expect(present()).toEqual(old);
  await publishOn(29);
  expect(present()).toEqual(old);

  // After a rollback, a file of an earlier version is published again; a later version then replaces it again.
  writeFileSync(join(folder, 'assets', 'index-0.js'), 'rolled back');
  await publishOn(29.5);
  rmSync(join(folder, 'assets', 'index-0.js'));
  await publishOn(30);
  expect(present()).toEqual(['account/assets/index-0.js']);
  await publishOn(59);
  expect(present()).toEqual(['account/assets/index-0.js']);
  await publishOn(60);
  expect(present()).toEqual([]);
  const current = ['index-1.js', 'inter.woff2', 'style-1.css'].map((name) => `account/assets/${name}`);
  const others = ['account/favicon.svg', 'account/index.html', 'account/old.html', 'outdated-files.json'];
  expect([...stored.keys()].toSorted()).toEqual([...current, ...others].toSorted());
  expect(stored.get('outdated-files.json')).toBe('{}');
});
