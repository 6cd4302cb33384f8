/** Publishing the pages: what browsers get of them, and that no page is there before what it needs. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishSite } from '../../../../infra/aws/dashboard/publish-site.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pages-'));
  mkdirSync(join(folder, 'assets'));
  for (const file of ['index.html', 'favicon.svg', 'assets/index-1.js', 'assets/style-1.css', 'assets/inter.woff2'])
    writeFileSync(join(folder, file), `content of ${file}`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Put {
  readonly url: string;
  readonly type: string | null;
  readonly caching: string | null;
  readonly body: string;
}

function recordingBucket(statusOf: (url: string) => number = () => 200) {
  const puts: Put[] = [];
  const client = {
    fetch: async (input: Request | string | URL, init?: RequestInit | null) => {
      const request = new Request(input, init as RequestInit);
      const { headers, url } = request;
      puts.push({
        url,
        type: headers.get('content-type'),
        caching: headers.get('cache-control'),
        body: await request.text(),
      });
      return new Response('', { status: statusOf(url) });
    },
  };
  return { puts, client };
}

const bucketUrl = 'https://bucket.example';
const forEver = 'public, max-age=31536000, immutable';

test('every file is put with its type, cached for ever if its name contains its hash, and pages last', async () => {
  const { puts, client } = recordingBucket();
  expect(await publishSite({ folder, bucketUrl, client })).toBe(5);
  expect(puts.map(({ url, type, caching }) => [url.slice(bucketUrl.length), type, caching])).toEqual([
    ['/account/assets/index-1.js', 'text/javascript; charset=utf-8', forEver],
    ['/account/assets/inter.woff2', 'font/woff2', forEver],
    ['/account/assets/style-1.css', 'text/css; charset=utf-8', forEver],
    ['/account/favicon.svg', 'image/svg+xml', 'no-cache'],
    ['/account/index.html', 'text/html; charset=utf-8', 'no-cache'],
  ]);
  expect(puts.at(-1)?.body).toBe('content of index.html');
});

test('a file that is not accepted ends the publication before any page is replaced', async () => {
  const { puts, client } = recordingBucket((url) => (url.endsWith('.css') ? 403 : 200));
  await expect(publishSite({ folder, bucketUrl, client })).rejects.toThrow(
    'the bucket responded to assets/style-1.css with 403',
  );
  expect(puts.filter(({ url }) => url.endsWith('.html'))).toEqual([]);
});
