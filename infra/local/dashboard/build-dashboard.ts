/** Builds the dashboard's pages if they are missing or their sources have changed. */
import { join } from 'node:path';
import { bringUpToDate, project } from '../built-folder.ts';
import { runBuild } from '../run-build.ts';
import { drawStudioPictures } from './studio-pictures.ts';

export const builtFolder = join(project, 'build', 'dashboard');

const sources = [
  'dashboard/**/*.*',
  'shared/{catalog,contracts}/**/*.ts',
  'infra/local/dashboard/studio-pictures.ts',
  'offline-engine/scene/*.ts',
  'package-lock.json',
];

export const buildDashboard = (): Promise<void> => bringUpToDate({ folder: builtFolder, sources, build: buildSite });

/** Builds the pages and what they show. @throws {Error} */
async function buildSite(outDir: string): Promise<void> {
  await runVite(outDir);
  await drawStudioPictures(outDir);
}

/** Runs Vite. @throws {Error} with Vite's output */
function runVite(outDir: string): Promise<void> {
  const vite = [join(project, 'node_modules/vite/bin/vite.js'), 'build', 'dashboard', '--outDir', outDir];
  return runBuild([...vite, '--emptyOutDir', '--logLevel', 'error'], 'The dashboard cannot be built');
}
