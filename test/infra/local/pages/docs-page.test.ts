import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpGateway } from '../../../../infra/local/http-gateway/http-gateway.ts';
import { pages } from '../../../../infra/local/pages/pages.ts';
import { published } from '../../../support/openapi-document.ts';
import { responseProblems } from '../../../support/openapi-validator.ts';

let gateway: Server;
let url: string;

beforeAll(async () => {
  gateway = httpGateway({
    routes: [],
    pages: pages(async () => 'http://127.0.0.1:1'),
    invoke: async () => {
      throw new Error('no page calls a function');
    },
    nextRequestId: () => 'request-1',
  }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
});

afterAll(async () => {
  gateway.closeAllConnections();
  gateway.close();
  await once(gateway, 'close');
});

/** What the page itself loads, read from its text. */
const loadedBy = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');

describe('the OpenAPI document', () => {
  it('is served as JSON, names the server that was asked, and has no CORS header', async () => {
    const response = await fetch(`${url}/openapi.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(await response.json()).toEqual(published({ serverUrl: url }));
  });

  it('does not let the caller choose its server', async () => {
    const response = await fetch(`${url}/openapi.json`, { headers: { 'X-Forwarded-Host': 'evil.example' } });
    expect(await response.text()).not.toContain('evil.example');
  });
});

describe('the documentation page', () => {
  it('loads nothing but files of this server, all of which exist with their types', async () => {
    const html = await (await fetch(`${url}/docs`)).text();
    const paths = loadedBy(html);
    expect(paths).toEqual([
      '/docs/favicon-32x32.png',
      '/docs/swagger-ui.css',
      '/docs/index.css',
      '/docs/swagger-ui-bundle.js',
      '/docs/show.js',
    ]);
    const types = await Promise.all(paths.map(async (path) => (await fetch(url + path)).headers.get('content-type')));
    expect(types.map((type) => type?.split(';')[0])).toEqual([
      'image/png',
      'text/css',
      'text/css',
      'text/javascript',
      'text/javascript',
    ]);
  });

  it('has no inline script, and a policy that would not run one', async () => {
    const response = await fetch(`${url}/docs`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(await response.text()).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|<style|javascript:/);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|http/);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('can send no request of the API and asks for no token', async () => {
    const script = await (await fetch(`${url}/docs/show.js`)).text();
    expect(script).toContain('supportedSubmitMethods: []');
    expect(script).toContain('validatorUrl: null');
    expect(script).toContain('authorizeBtn: nothing');
  });

  it.each([
    '/docs/',
    '/docs/package.json',
    '/docs/..%2fpackage.json',
    '/docs/swagger-ui.js',
    '/docs/constructor',
    '/openapi.json/',
  ])('has no file %s', async (path) => {
    const response = await fetch(url + path);
    expect(response.status).toBe(404);
    expect(responseProblems(undefined, 404, Object.fromEntries(response.headers), await response.text())).toEqual([]);
  });

  it.each(['/docs', '/docs/show.js', '/openapi.json'])('answers %s to GET alone', async (path) => {
    const statuses = ['HEAD', 'POST', 'OPTIONS'].map(async (method) => (await fetch(url + path, { method })).status);
    expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
  });
});
