/** The npm packages, as `npm publish` would send them to a registry. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withFileLock } from '../toolchain/file-lock.ts';
import type { Package } from './packages.ts';

const execute = promisify(execFile);
const project = join(import.meta.dirname, '../..');

/** The folder of each package, and the alias of its tarball. */
const workspaces = { client: 'typescript.tgz', 'client-mcp': 'mcp.tgz' } as const;

function packedIn(folder: string, workspace: keyof typeof workspaces): Package {
  const manifest = readFileSync(join(project, workspace, 'package.json'), 'utf8');
  const { name, version, description } = JSON.parse(manifest) as Pick<Package, 'name' | 'version' | 'description'>;
  const file = `${name}-${version}.tgz`;
  return { name, version, description, file, alias: workspaces[workspace], content: readFileSync(join(folder, file)) };
}

/** @throws {Error} with the output of npm */
export async function npmPackages(): Promise<readonly Package[]> {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'));
  const names = Object.keys(workspaces) as (keyof typeof workspaces)[];
  const pack = ['pack', '--pack-destination', folder, ...names.flatMap((name) => ['--workspace', name])];
  const cache = join(project, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  try {
    // Packages are built in their source folders, which other processes may be packing too.
    await withFileLock(join(cache, 'packages.lock'), () => execute('npm', pack, { cwd: project }));
    return names.map((name) => packedIn(folder, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
