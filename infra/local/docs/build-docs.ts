/** Builds the documentation site if it is missing or its sources have changed. */
import { builtFolder } from '../../../shared/platform/built-folder.ts';
import { bringUpToDate } from '../built-folder.ts';
import { runBuild } from '../run-build.ts';

/** The files that the site is built from. */
export const docsSources = [
  'site/**/*.*',
  'shared/contracts/**/*.ts',
  'shared/catalog/**/*.ts',
  'CHANGELOG.md',
  'client{,-mcp,-python}/README.md',
  'package-lock.json',
];

/** Runs the site's own build. @throws {Error} with its output */
export const runSiteBuild = (folder: string): Promise<void> =>
  runBuild(['site/main.ts', folder], 'The documentation cannot be built');

/** The files that the page which checks files is built from. */
const verifySources = ['site/{build-verify,bundle-script}.ts', 'site/browser/verify/*.*', 'package-lock.json'];

/** Builds that page into a folder. @throws {Error} with the output of the failed build */
const runVerifyBuild = (folder: string): Promise<void> =>
  runBuild(['site/build-verify.ts', folder], 'The page that checks files cannot be built');

export const buildVerify = (): Promise<void> =>
  bringUpToDate({ folder: builtFolder('verify'), sources: verifySources, build: runVerifyBuild });

export const buildDocs = (): Promise<void> =>
  bringUpToDate({ folder: builtFolder('docs'), sources: docsSources, build: runSiteBuild });
