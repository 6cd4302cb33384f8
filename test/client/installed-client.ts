/** Builds, packs and installs the client, so that tests use exactly what its users get. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type * as Api from '../../client/client.ts';
import type * as Webhooks from '../../client/webhooks.ts';

const execute = promisify(execFile);

export interface InstalledClient {
  /** A directory whose programs can import the package. */
  readonly directory: string;
  /** The tarball. */
  readonly tarball: string;
  readonly api: typeof Api;
  readonly webhooks: typeof Webhooks;
  readonly remove: () => void;
}

export async function installClient(): Promise<InstalledClient> {
  const directory = mkdtempSync(join(tmpdir(), 'client-'));
  // The package is built in a directory of its own, because several test files build it at the same time.
  const built = join(directory, 'built');
  await execute(join('node_modules', '.bin', 'tsc'), ['--project', 'client', '--outDir', join(built, 'dist')]);
  await execute('npm', [
    'run',
    '--silent',
    'build:cli',
    '--workspace',
    'client',
    '--',
    `--outfile=${join(built, 'dist', 'cli.js')}`,
  ]);
  for (const file of ['package.json', 'README.md', 'LICENSE']) cpSync(join('client', file), join(built, file));
  const pack = ['pack', built, '--ignore-scripts', '--pack-destination', directory, '--json'];
  const [packed] = JSON.parse((await execute('npm', pack)).stdout) as readonly [{ readonly filename: string }];
  const tarball = join(directory, packed.filename);
  writeFileSync(join(directory, 'package.json'), '{"private":true,"type":"module"}');
  await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: directory });
  const load = (file: string) =>
    import(pathToFileURL(join(directory, 'node_modules', 'generation-service-client', 'dist', file)).href);
  return {
    directory,
    tarball,
    api: (await load('client.js')) as typeof Api,
    webhooks: (await load('webhooks.js')) as typeof Webhooks,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
