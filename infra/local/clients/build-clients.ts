/** Builds the packages of the clients if they are missing or their sources have changed. */
import { builtFolder } from '../../../shared/platform/built-folder.ts';
import { bringUpToDate } from '../built-folder.ts';
import { runBuild } from '../run-build.ts';

/** The files that the packages are built from. */
export const clientsSources = [
  'client{,-mcp,-python}/{*.*,LICENSE}',
  'client/cli/*.ts',
  'client-python/generation_service/*.*',
  'infra/clients/*.ts',
  'tsconfig.json',
  'package-lock.json',
];

/** Builds the packages into a folder. @throws {Error} with the output of the failed build */
export const runClientsBuild = (folder: string): Promise<void> =>
  runBuild(['infra/clients/main.ts', folder], 'The packages of the clients cannot be built');

export const buildClients = (): Promise<void> =>
  bringUpToDate({ folder: builtFolder('clients'), sources: clientsSources, build: runClientsBuild });
