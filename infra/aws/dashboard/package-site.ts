/** Packages the function that publishes the dashboard: its program and the pages. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildDashboard, builtFolder } from '../../local/dashboard/build-dashboard.ts';
import { pagesFolder } from './publish-site.ts';

/** Fills an empty folder. Without pages, the package can only be synthesized. @throws {Error} */
export async function packageSite(folder: string, withPages: boolean): Promise<void> {
  if (withPages) {
    await buildDashboard();
    cpSync(builtFolder, join(folder, pagesFolder), { recursive: true });
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
}
