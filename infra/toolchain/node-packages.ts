/** Installs packages that only one test needs, on demand from their own lock file and without scripts. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withFileLock } from './file-lock.ts';

const execute = promisify(execFile);
const inProject = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const files = ['package.json', 'package-lock.json'] as const;

/** The folder `.packages/<name>`, installed from `packages/<name>` if it is missing or its lock file has changed. */
export async function nodePackages(name: string): Promise<string> {
  const source = join(inProject('packages'), name);
  const root = inProject('../../.packages');
  const directory = join(root, name);
  const stampFile = join(directory, 'installed-from');
  const stamp = createHash('sha256')
    .update(readFileSync(join(source, 'package-lock.json')))
    .digest('hex');
  mkdirSync(root, { recursive: true });
  await withFileLock(join(root, `${name}.lock`), async () => {
    if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory);
    for (const file of files) copyFileSync(join(source, file), join(directory, file));
    await execute('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: directory });
    writeFileSync(stampFile, stamp);
  });
  return directory;
}
