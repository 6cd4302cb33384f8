/** The host of a deployed dashboard must behave like the one that `npm start` runs. */
import { describe, expect, test } from 'vitest';
import { siteHeaders } from '../../../infra/dashboard-site.ts';
import { canBrowse, canLookInside, siteUrl } from './dashboard-harness.ts';

describe.runIf(canBrowse && !canLookInside)('the host of a deployed dashboard', () => {
  test('serves every page with all security headers, and never serves a page in place of a missing file', async () => {
    for (const path of ['', 'tasks', 'tokens/new']) {
      const response = await fetch(siteUrl(path));
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const policy = response.headers.get('content-security-policy') ?? '';
      const [, results = ''] = /media-src 'self' (\S+);/.exec(policy) ?? [];
      const [, uploads = ''] = /connect-src 'self' ([^;]+);/.exec(policy) ?? [];
      const headers = siteHeaders({ results, uploads: uploads.split(' ') });
      for (const [name, value] of Object.entries(headers)) expect(response.headers.get(name)).toBe(value);
    }
    expect((await fetch(new URL('/api/v1/plans', siteUrl('')))).status).toBe(404);
    // Emulators of S3 respond with less information about missing objects.
    expect([403, 404]).toContain((await fetch(siteUrl('assets/no-such-file.js'))).status);
  });

  test('rejects writes from another site and requests without a session', async () => {
    const send = (headers: Record<string, string>) =>
      fetch(siteUrl('api/tokens'), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ name: 'stolen', scopes: [] }),
      });
    expect((await send({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await send({ 'sec-fetch-site': 'same-origin' })).status).toBe(401);
  });
});
