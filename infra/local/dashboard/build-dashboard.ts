/** Builds the dashboard's pages if they are missing or older than their sources. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const project = join(import.meta.dirname, '../../..');

export const builtFolder = join(project, 'build', 'dashboard');

const sources = ['dashboard/**/*.*', 'shared/contracts/**/*.ts', 'package-lock.json'];

function isUpToDate(): boolean {
  const index = join(builtFolder, 'index.html');
  if (!existsSync(index)) return false;
  const builtAt = statSync(index).mtimeMs;
  return globSync(sources, { cwd: project }).every((file) => statSync(join(project, file)).mtimeMs <= builtAt);
}

/** Builds into a new folder, so that a page in use never misses a file and two processes can build concurrently. */
export async function buildDashboard(): Promise<void> {
  if (isUpToDate()) return;
  mkdirSync(join(project, 'build'), { recursive: true });
  const folder = mkdtempSync(join(project, 'build', 'dashboard-'));
  try {
    await runVite(folder);
    rmSync(builtFolder, { recursive: true, force: true });
    renameSync(folder, builtFolder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (!isUpToDate()) throw error;
  }
}

/** Runs Vite. @throws {Error} with Vite's output */
export async function runVite(outDir: string): Promise<void> {
  const args = [join(project, 'node_modules/vite/bin/vite.js'), 'build', 'dashboard', '--outDir', outDir];
  const child = spawn(process.execPath, [...args, '--emptyOutDir', '--logLevel', 'error'], {
    cwd: project,
    // With any other value, Vite would build React for development.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`The dashboard cannot be built: ${stdout}${stderr}`);
}
