/** Installs the packed client, so that tests use exactly what its users get. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type * as Api from '../../client/client.ts';
import type * as Webhooks from '../../client/webhooks.ts';
import { buildClients } from '../../infra/local/clients/build-clients.ts';
import { builtFolder } from '../../shared/platform/built-folder.ts';

const execute = promisify(execFile);

export interface InstalledClient {
  /** A directory whose programs can import the package. */
  readonly directory: string;
  readonly api: typeof Api;
  readonly webhooks: typeof Webhooks;
  readonly remove: () => void;
}

/** The tarball that the service serves. */
export const clientTarball = join(builtFolder('clients'), 'typescript.tgz');

/** Installs the tarball at a path or URL: the one that the service serves, unless told otherwise. */
export async function installClient(tarball = clientTarball): Promise<InstalledClient> {
  await buildClients();
  const directory = mkdtempSync(join(tmpdir(), 'client-'));
  writeFileSync(join(directory, 'package.json'), '{"private":true,"type":"module"}');
  // The cache is new, because another service may have served another package at the same URL.
  const install = ['install', '--cache', join(directory, 'cache'), '--no-audit', '--no-fund', tarball];
  await execute('npm', install, { cwd: directory });
  const load = (file: string) =>
    import(pathToFileURL(join(directory, 'node_modules', 'generation-service-client', 'dist', file)).href);
  return {
    directory,
    api: (await load('client.js')) as typeof Api,
    webhooks: (await load('webhooks.js')) as typeof Webhooks,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
