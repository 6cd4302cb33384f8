import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, test, vi } from 'vitest';

type Part = Rolldown.OutputChunk | Rolldown.OutputAsset;

/** The files that the first page loads: the code that the entry imports at once, all its styles, and the fonts. */
function firstPage(parts: readonly Part[]): Part[] {
  const byName = new Map(parts.map((part) => [part.fileName, part]));
  const loaded = new Set<Part>();
  const load = (part: Part | undefined): void => {
    if (!part || loaded.has(part)) return;
    loaded.add(part);
    if (part.type === 'chunk') for (const name of part.imports) load(byName.get(name));
  };
  for (const part of parts) if (part.type === 'chunk' && part.isEntry) load(part);
  for (const part of parts) if (/index-.*\.css$|\.woff2$/.test(part.fileName)) load(part);
  return [...loaded];
}

test('the first page of the dashboard weighs at most 250 kB compressed, with its fonts', async () => {
  vi.stubEnv('NODE_ENV', 'production');
  const made = await build({
    configFile: join('dashboard', 'vite.config.ts'),
    logLevel: 'silent',
    build: { write: false },
  });
  const parts = (made as Rolldown.RolldownOutput).output;
  const loaded = firstPage(parts);
  expect(loaded.filter(({ fileName }) => fileName.endsWith('.woff2')).length).toBe(2);
  const contents = loaded.map((part) => Buffer.from(part.type === 'chunk' ? part.code : part.source));
  const weight = contents.reduce((sum, content) => sum + brotliCompressSync(content).length, 0);
  expect(weight).toBeLessThanOrEqual(250_000);
});
