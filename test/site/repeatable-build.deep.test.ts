/** The documentation site is built the same each time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runSiteBuild } from '../../infra/local/docs/build-docs.ts';
import { builtSite, siteFilesIn } from './built-site.ts';

test('the documentation site is the same, byte for byte, each time that it is built', async () => {
  const site = await builtSite();
  const folder = mkdtempSync(join(tmpdir(), 'docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await runSiteBuild(folder);
  const again = siteFilesIn(folder);
  expect([...again.keys()]).toEqual([...site.keys()]);
  for (const [file, content] of again) expect(content === site.get(file), file).toBe(true);
});
