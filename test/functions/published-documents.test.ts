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
  ])('serves %s as %s', async (path, type) => {
    const response = await fetch(url + path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(await response.text()).not.toBe('');
  });

  it.each([
    '/docs/',
    '/docs/show.js',
    '/docs/constructor',
    '/docs/reference/',
    '/docs/reference//getTask',
    '/docs/assets',
    '/docs/..%2F..%2Fpackage.json',
    '/docs/%2e%2e%2fpackage',
    '/openapi.json/',
  ])('does not serve %s', async (path) => {
    const response = await fetch(url + path);
    expect(response.status).toBe(404);
    expect(responseProblems(undefined, 404, Object.fromEntries(response.headers), await response.text())).toEqual([]);
  });

  it.each(['/docs', '/docs/llms.txt', '/openapi.json'])('serves %s only in response to GET', async (path) => {
    const statuses = ['HEAD', 'POST', 'OPTIONS'].map(async (method) => (await fetch(url + path, { method })).status);
    expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
  });
});

describe('a cache of public documents', () => {
  it.each(['/docs', '/openapi.json'])('need not fetch %s again while it is unchanged', async (path) => {
    const first = await fetch(url + path);
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(url + path, { headers: { 'If-None-Match': `"other", W/${etag}` } });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    const changed = await fetch(url + path, { headers: { 'If-None-Match': '"other"' } });
    expect([changed.status, await changed.text()]).toEqual([200, await first.text()]);
  });
});
