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

describe('the API reference page', () => {
  const html = async () => (await fetch(`${url}/docs`)).text();

  it('is HTML with a request id, without scripts or external resources', async () => {
    const response = await fetch(`${url}/docs`);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('x-request-id')).toMatch(aRequestId);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(await response.text()).not.toMatch(
      /<script|\son\w+=|javascript:|<form|<input|\ssrc=|<link(?! rel="icon" href="data:,")/,
    );
  });

  it('has a content security policy that allows only its own style sheet', async () => {
    const response = await fetch(`${url}/docs`);
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(await response.text()) ?? [];
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(policy).not.toMatch(/unsafe|\*|http/);
  });

  it('has a section for every operation and webhook, and a link to each in its contents', async () => {
    const page = await html();
    const { paths, webhooks } = published();
    const operations = [
      ...Object.values(paths).flatMap((item) => Object.values(item)),
      ...Object.values(webhooks).map(({ post }) => post),
    ];
    for (const { operationId } of operations) {
      expect(page).toContain(`id="${operationId}"`);
      expect(page).toContain(`href="#${operationId}"`);
    }
  });

  it('has no broken link within the page and no duplicate id', async () => {
    const page = await html();
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  });

  it('shows the request first, then the creation, then the dry run', async () => {
    const page = await html();
    const section = page.slice(page.indexOf('id="generateVoice"'));
    const places = ['curl ', 'Body</h4>', '<span class="status">202<', '<span class="status">200<', 'Errors</h4>'];
    const positions = places.map((text) => section.indexOf(text));
    expect(positions).toEqual(positions.toSorted((one, other) => one - other));
    expect(positions).not.toContain(-1);
  });

  it('marks operations that are extensions, and escapes the text of the document', async () => {
    const page = await html();
    const cancel = page.slice(page.indexOf('id="cancelTask"'));
    expect(cancel.slice(0, 300)).toContain('class="badge">extension<');
    expect(page).toContain('Bearer &lt;token&gt;');
    expect(page).not.toContain('Bearer <token>');
  });

  it.each(['/docs/', '/docs/show.js', '/docs/constructor', '/openapi.json/'])('does not serve %s', async (path) => {
    const response = await fetch(url + path);
    expect(response.status).toBe(404);
    expect(responseProblems(undefined, 404, Object.fromEntries(response.headers), await response.text())).toEqual([]);
  });

  it.each(['/docs', '/openapi.json'])('serves %s only to GET', async (path) => {
    const statuses = ['HEAD', 'POST', 'OPTIONS'].map(async (method) => (await fetch(url + path, { method })).status);
    expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
  });
});
