/** The weight of the dashboard's first page, as a browser loads it. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildDashboard, builtFolder } from '../../infra/local/dashboard/build-dashboard.ts';

test('the first page of the dashboard weighs at most 250 kB compressed, with its fonts', async () => {
  await buildDashboard();
  const page = readFileSync(join(builtFolder, 'index.html'), 'utf8');
  // Vite names the modules that the entry imports at once, so that browsers load them together.
  const named = [...page.matchAll(/<(?:script|link)\b[^>]* (?:src|href)="\/account\/(assets\/[^"]+\.(?:js|css))"/g)];
  const code = named.map(([, file = '']) => file);
  const fonts = globSync('assets/*.woff2', { cwd: builtFolder });
  expect([fonts.length, code.some((file) => basename(file).startsWith('index-'))]).toEqual([2, true]);
  const contents = [...code, ...fonts].map((file) => readFileSync(join(builtFolder, file)));
  expect(contents.reduce((sum, content) => sum + brotliCompressSync(content).length, 0)).toBeLessThanOrEqual(250_000);
});
