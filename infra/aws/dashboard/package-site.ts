/** Packages the function that publishes the dashboard: its program and the pages. */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildDashboard, builtFolder } from '../../local/dashboard/build-dashboard.ts';
import { pagesFolder } from './publish-site.ts';

/** Returns the folder of the package. Without pages, the package can only be synthesized. @throws {Error} */
export async function packageSite(withPages: boolean): Promise<string> {
  const folder = fileURLToPath(new URL('../../../build/site', import.meta.url));
  const pages = join(folder, pagesFolder);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(pages, { recursive: true });
  if (withPages) {
    await buildDashboard();
    cpSync(builtFolder, pages, { recursive: true });
  }
  await build({
    entryPoints: [fileURLToPath(new URL('publish-site.ts', import.meta.url))],
    outfile: join(folder, 'index.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minify: true,
    logLevel: 'warning',
  });
  return folder;
}
