import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { published } from '../support/openapi-document.ts';
import { responseProblems } from '../support/openapi-validator.ts';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests();
const { url } = host.service;

const aRequestId = /^[0-9a-f-]{36}$/;

describe('the OpenAPI document', () => {
  it('is served as JSON, names the server that was requested, and has no CORS header', async () => {
    const response = await fetch(`${url}/openapi.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-request-id')).toMatch(aRequestId);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(await response.json()).toEqual(published({ serverUrl: url }));
  });

  it('does not let the caller choose its server', async () => {
    const response = await fetch(`${url}/openapi.json`, { headers: { 'X-Forwarded-Host': 'evil.example' } });
    expect(await response.text()).not.toContain('evil.example');
  });
});

describe('the documentation site', () => {
  it('is HTML with a request id, and has no CORS header', async () => {
    const response = await fetch(`${url}/docs`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('x-request-id')).toMatch(aRequestId);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(await response.text()).toContain('<h1 id="generation-service">');
  });

  it('has a content security policy that allows only its own files', async () => {
    const response = await fetch(`${url}/docs`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|http/);
  });

  it('has a page for every operation and webhook, which names this server', async () => {
    const { paths, webhooks } = published();
    const operations = [
      ...Object.values(paths).flatMap((item) => Object.values(item)),
      ...Object.values(webhooks).map(({ post }) => post),
    ];
    for (const { operationId } of operations) {
      const response = await fetch(`${url}/docs/reference/${operationId}`);
      expect(response.status, operationId).toBe(200);
    }
    expect(await (await fetch(`${url}/docs/reference/generateVoice`)).text()).toContain(`${url}/api/v1/generate/voice`);
  });

  it.each([
    ['/docs/assets/style.css', 'text/css; charset=utf-8'],
    ['/docs/assets/site.js', 'text/javascript; charset=utf-8'],
    ['/docs/assets/search-index.json', 'application/json; charset=utf-8'],
    ['/docs/llms.txt', 'text/plain; charset=utf-8'],
    ['/docs/reference/getTask.md', 'text/markdown; charset=utf-8'],
    ['/verify', 'text/html; charset=utf-8'],
    ['/verify/verify.js', 'text/javascript; charset=utf-8'],
    ['/verify/verify.css', 'text/css; charset=utf-8'],
    ['/verify/c2pa.wasm.gz', 'application/gzip'],
  ])('serves %s as %s', async (path, type) => {
    const response = await fetch(url + path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(await response.text()).not.toBe('');
  });

  it.each([
    '/docs/show.js',
    '/docs/constructor',
    '/docs/reference//getTask',
    '/docs/assets',
    '/docs/..%2F..%2Fpackage.json',
    '/docs/%2e%2e%2fpackage',
    '/verify/missing.js',
    '/verify/..%2Fdocs%2Findex.html',
    '/openapi.json/',
  ])('does not serve %s', async (path) => {
    const response = await fetch(url + path);
    expect(response.status).toBe(404);
    expect(responseProblems(undefined, 404, Object.fromEntries(response.headers), await response.text())).toEqual([]);
  });

  it.each(['/docs', '/docs/llms.txt', '/openapi.json', '/clients', '/clients/mcp.tgz', '/verify'])(
    'serves %s only in response to GET and HEAD',
    async (path) => {
      const statuses = ['POST', 'OPTIONS'].map(async (method) => (await fetch(url + path, { method })).status);
      expect(await Promise.all(statuses)).toEqual([404, 404]);
    },
  );

  it.each(['/docs', '/docs/quickstart', '/docs/llms.txt', '/openapi.json', '/clients', '/clients/mcp.tgz', '/verify'])(
    'says by HEAD, without the content, that %s exists',
    async (path) => {
      const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => fetch(url + path, { method })));
      const known = ['content-type', 'etag', 'cache-control'].map((name) => get?.headers.get(name));
      expect(['content-type', 'etag', 'cache-control'].map((name) => head?.headers.get(name))).toEqual(known);
      expect([head?.status, await head?.text()]).toEqual([200, '']);
    },
  );

  const slashed = ['/docs', '/docs/quickstart', '/verify', '/verify/verify.js'];
  it.each(slashed)('redirects %s with slashes at its end, whatever the prefix of its URL', async (path) => {
    for (const slashes of path.split('/').length > 2 ? ['/', '//'] : ['/']) {
      const { status, headers } = await fetch(url + path + slashes, { redirect: 'manual' });
      const location = new URL(headers.get('location') ?? '', `https://api.example.com/stage${path}${slashes}`);
      expect([status, location.href]).toEqual([301, `https://api.example.com/stage${path}`]);
    }
  });

  it('responds to the URL of a missing page with 404 and says where all pages are listed, and to HEAD with 404 alone', async () => {
    const response = await fetch(`${url}/docs/missing`);
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { error: { message: 'There is no such page: /docs lists all pages.' } },
    ]);
    expect((await fetch(`${url}/docs/missing`, { method: 'HEAD' })).status).toBe(404);
  });
});

it('the page `/verify` may load only its own files, run WebAssembly, and send nothing to other servers', async () => {
  const response = await fetch(`${url}/verify`);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
  expect(policy.replace('wasm-unsafe-eval', '')).not.toMatch(/unsafe|\*|http/);
});

it('the library that `/verify` loads fits into the response of a function: six megabytes of Base64', async () => {
  const library = await (await fetch(`${url}/verify/c2pa.wasm.gz`)).arrayBuffer();
  expect(Math.ceil(library.byteLength / 3) * 4).toBeLessThan(5.5 * 2 ** 20);
});

describe('the packages of the clients', () => {
  interface Listed {
    readonly name: string;
    readonly url: string;
    readonly latestUrl?: string;
    readonly bytes: number;
    readonly sha256: string;
    readonly integrity: string;
  }
  const listed = async () =>
    ((await (await fetch(`${url}/clients`)).json()) as { packages: readonly Listed[] }).packages;
  const bytesAt = async (address: string) => Buffer.from(await (await fetch(address)).arrayBuffer());
  const digestOf = (algorithm: string, bytes: Buffer, encoding: 'hex' | 'base64') =>
    createHash(algorithm).update(bytes).digest(encoding);

  it('are listed with URLs, sizes and digests that match the files at those URLs', async () => {
    const packages = await listed();
    expect(packages.map(({ name }) => name)).toEqual([
      'generation-service-client',
      'generation-service-mcp',
      'generation-service',
    ]);
    for (const { url: address, latestUrl = address, bytes, sha256, integrity } of packages) {
      const content = await bytesAt(address);
      expect(address).toMatch(new RegExp(`^${url}/clients/generation[-_]service`));
      expect(content.length).toBe(bytes);
      expect(digestOf('sha256', content, 'hex')).toBe(sha256);
      expect(`sha512-${digestOf('sha512', content, 'base64')}`).toBe(integrity);
      expect((await bytesAt(latestUrl)).equals(content)).toBe(true);
    }
  });

  it('have checksums in the form that sha256sum reads, for every package and alias', async () => {
    const response = await fetch(`${url}/clients/SHA256SUMS`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const rows = (await response.text()).trim().split('\n');
    const files = (await listed()).flatMap((one) => [one.url, one.latestUrl ?? []].flat());
    expect(rows.map((row) => row.replace(/^\w+ {2}/, `${url}/clients/`))).toEqual(files);
    for (const row of rows) {
      const [sha256 = '', file] = row.split('  ');
      expect(digestOf('sha256', await bytesAt(`${url}/clients/${file}`), 'hex'), file).toBe(sha256);
    }
  });

  it.each([
    ['generation-service-client-1.0.0.tgz', 'application/gzip', 'public, max-age=31536000, immutable'],
    ['generation_service-1.0.0-py3-none-any.whl', 'application/zip', 'public, max-age=31536000, immutable'],
    ['mcp.tgz', 'application/gzip', 'public, max-age=300'],
    ['index.json', 'application/json; charset=utf-8', 'public, max-age=300'],
  ])('include %s, served as %s with the Cache-Control header “%s”', async (file, type, caching) => {
    const { status, headers } = await fetch(`${url}/clients/${file}`);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, type, caching]);
  });

  it.each(['generation-service-client-0.9.0.tgz', '..%2Fdocs%2Findex.html', '.', 'a/typescript.tgz', ''])(
    'do not include %s',
    async (file) => {
      const response = await fetch(`${url}/clients/${file}`);
      expect(response.status).toBe(404);
      expect(responseProblems(undefined, 404, Object.fromEntries(response.headers), await response.text())).toEqual([]);
    },
  );
});

describe('a cache of public documents', () => {
  it.each(['/docs', '/openapi.json', '/clients', '/clients/typescript.tgz'])(
    'need not fetch %s again while it is unchanged',
    async (path) => {
      const first = await fetch(url + path);
      expect(first.headers.get('cache-control')).toBe('public, max-age=300');
      const etag = first.headers.get('etag') ?? '';
      const again = await fetch(url + path, { headers: { 'If-None-Match': `"other", W/${etag}` } });
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
      const changed = await fetch(url + path, { headers: { 'If-None-Match': '"other"' } });
      expect([changed.status, await changed.text()]).toEqual([200, await first.text()]);
    },
  );
});
