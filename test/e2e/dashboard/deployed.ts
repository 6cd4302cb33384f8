/** The host of a deployed dashboard must behave like the one that `npm start` runs. */
import { describe, expect, test } from 'vitest';
import { pause } from '../../../shared/platform/pause.ts';
import { canBrowse, canLookInside, dashboard, siteUrl, speak } from './dashboard-harness.ts';

/** The security headers of every page but the policy, which names addresses of the stage. */
const securityHeaders = {
  'strict-transport-security': 'max-age=63072000',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

const ask = async <Data>(path: string, body?: object): Promise<Data> => {
  const { apiUrl, token } = dashboard();
  const response = await fetch(`${apiUrl}/api/v1/${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { data: Data }).data;
};

interface Upload {
  readonly upload: { readonly url: string; readonly parts?: readonly { readonly url: string }[] };
}

/** Where the API sends browsers with files: the address of a form, and those of the parts of a large video. */
async function uploadUrls(): Promise<string[]> {
  const image = await ask<Upload>('files', { contentType: 'image/png', bytes: 1000 });
  const video = await ask<Upload>('files', { contentType: 'video/mp4', bytes: 2 ** 30 });
  const parts = video.upload.parts ?? [];
  expect(parts.length).toBeGreaterThan(1);
  return [image.upload.url, ...parts.map(({ url }) => url)];
}

/** The address of a result, once it exists. */
async function resultUrl(): Promise<string> {
  const taskId = await speak('Uma frase para a política de segurança.');
  const until = AbortSignal.timeout(60_000);
  for (;;) {
    until.throwIfAborted();
    const { resultUrl: url } = await ask<{ resultUrl?: string }>(`tasks/${taskId}`);
    if (url !== undefined) return url;
    await pause(500);
  }
}

/** The sources of a page's content security policy, by directive. */
function policyIn(headers: Headers): Readonly<Record<string, readonly string[]>> {
  const directives = (headers.get('content-security-policy') ?? '')
    .split('; ')
    .map((directive) => directive.split(' '));
  return Object.fromEntries(directives.map(([name = '', ...sources]): [string, string[]] => [name, sources]));
}

/** Whether a source of a policy allows an address: a path that does not end in a slash stands for itself alone. */
function allows(source: string, address: string): boolean {
  const { origin, pathname } = new URL(address);
  const allowed = new URL(source);
  const path = allowed.pathname;
  return origin === allowed.origin && (path.endsWith('/') ? pathname.startsWith(path) : pathname === path);
}

describe.runIf(canBrowse && !canLookInside)('the host of a deployed dashboard', () => {
  test('serves every page with all security headers, and lets pages reach results and uploads and nothing else', async () => {
    const [uploads, result] = [await uploadUrls(), await resultUrl()];
    for (const path of ['', 'tasks', 'tokens/new']) {
      const { headers, status } = await fetch(siteUrl(path));
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(Object.fromEntries(headers)).toMatchObject(securityHeaders);
      const {
        'connect-src': connected = [],
        'img-src': images,
        'media-src': media = [],
        ...others
      } = policyIn(headers);
      expect(others).toEqual({
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'", "'unsafe-inline'"],
        'font-src': ["'self'"],
        'form-action': ["'self'"],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
      });
      const shown = media.at(-1);
      expect([media, images]).toEqual([
        ["'self'", 'blob:', shown],
        ["'self'", 'data:', 'blob:', shown],
      ]);
      expect(allows(String(shown), result)).toBe(true);
      const [own, ...elsewhere] = connected;
      const needed = [result, ...uploads];
      expect(own).toBe("'self'");
      for (const url of needed)
        expect(
          elsewhere.filter((source) => allows(source, url)),
          url,
        ).not.toEqual([]);
      for (const source of elsewhere)
        expect(
          needed.filter((url) => allows(source, url)),
          source,
        ).not.toEqual([]);
    }
  });

  test('never serves a page in place of a missing file, or operations of the API', async () => {
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
