/** The code of the functions: one bundle per file of `functions/`, all built by one call of esbuild. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { c2paWasmFile } from '../../shared/provenance/c2pa-wasm-file.ts';
import { clientsSources, runClientsBuild } from '../local/clients/build-clients.ts';
import { docsSources, runSiteBuild } from '../local/docs/build-docs.ts';
import { withFileLock } from '../toolchain/file-lock.ts';
import { builtInModules, requireBanner } from './bundling/built-in-modules.ts';
import { clientVersions } from './bundling/client-versions.ts';
import { eventStreams } from './bundling/event-streams.ts';
import { lambdaEntry } from './bundling/lambda-entry.ts';
import { publishedTexts } from './bundling/published-texts.ts';
import { replacedModules } from './bundling/replaced-modules.ts';
import { replacements } from './bundling/replacements.ts';
import { withoutDescriptions } from './bundling/without-descriptions.ts';
import { functionFiles } from './function-files.ts';

export interface FunctionBundle {
  /** The function's folder, which contains `index.mjs` and `index.mjs.map`; the map need not be deployed. */
  readonly directory: string;
  /** Absolute path of `index.mjs`, which exports `handler`. */
  readonly path: string;
  readonly bytes: number;
  /** The bytes that each source file contributes to the bundle, by its path in the project. */
  readonly inputs: Readonly<Record<string, number>>;
  /** Imports that are not bundled: Node's built-in modules. */
  readonly imports: readonly string[];
}

export interface Bundles {
  /** The bundles by the function's name, which for an HTTP operation is its `operationId`. */
  readonly functions: Readonly<Record<string, FunctionBundle>>;
  readonly metafile: Metafile;
}

const project = fileURLToPath(new URL('../../', import.meta.url));

/** Replaces a module that a logger inside `file-type` imports but can do without. */
const absentColors = fileURLToPath(new URL('absent-colors.ts', import.meta.url));

function bundleOf(file: string, directory: string, { outputs }: Metafile): FunctionBundle {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === `lambda:${file}`);
  if (!found) throw new Error(`esbuild produced no output for ${file}`);
  const [path, { bytes, imports, inputs }] = found;
  const sources = Object.entries(inputs).map(([input, { bytesInOutput }]) => [input, bytesInOutput] as const);
  return {
    directory,
    path: resolve(project, path),
    bytes,
    inputs: Object.fromEntries(sources.filter(([, bytesInOutput]) => bytesInOutput > 0)),
    imports: imports.filter(({ external }) => external).map((one) => one.path),
  };
}

const bundlesIn = (outdir: string, metafile: Metafile): Bundles => ({
  functions: Object.fromEntries(
    [...functionFiles()].map(([name, file]) => [name, bundleOf(file, join(resolve(outdir), name), metafile)]),
  ),
  metafile,
});

/** Bundles all functions, each into a folder of its own: `<outdir>/<name>/index.mjs`. @throws {Error} */
export async function bundleFunctions(outdir: string): Promise<Bundles> {
  const files = functionFiles();
  const { metafile } = await build({
    absWorkingDir: project,
    entryPoints: Object.fromEntries([...files].map(([name, file]) => [join(name, 'index'), file])),
    outdir: resolve(outdir),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    sourcemap: 'external',
    banner: { js: requireBanner },
    plugins: [
      lambdaEntry,
      builtInModules,
      eventStreams,
      clientVersions,
      publishedTexts,
      withoutDescriptions,
      replacedModules(replacements),
    ],
    alias: { 'supports-color': absentColors },
    logLevel: 'warning',
    metafile: true,
  });
  await copyFile(c2paWasmFile(), join(resolve(outdir), 'finalize', 'c2pa.wasm'));
  await runSiteBuild(join(resolve(outdir), 'getDocs', 'docs'));
  await runClientsBuild(join(resolve(outdir), 'getClients', 'clients'));
  return bundlesIn(outdir, metafile);
}

/** The project's own files that bundles are made of, in addition to packages. */
export const bundledSources = ['functions', 'shared', 'infra/aws'];

/** A hash of everything that bundles, and the documentation and packages beside two of them, depend on. */
function stampOfSources(): string {
  const hash = createHash('sha256').update(process.version);
  const patterns = [...bundledSources.map((folder) => `${folder}/**/*.*`), ...docsSources, ...clientsSources];
  for (const path of globSync(patterns, { cwd: project }).sort())
    hash.update(`\0${path}\0`).update(readFileSync(join(project, path)));
  return hash.digest('hex');
}

/**
 * The bundles in `build/functions`, rebuilt if their sources have changed; shared by synthesis and tests because
 * building takes seconds. @throws {Error}
 */
export async function projectBundles(): Promise<Bundles> {
  const outdir = join(project, 'build', 'functions');
  const [stampFile, metafileFile] = [join(outdir, 'made-from'), join(outdir, 'metafile.json')];
  mkdirSync(join(project, 'build'), { recursive: true });
  return withFileLock(`${outdir}.lock`, async () => {
    const stamp = stampOfSources();
    if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp)
      return bundlesIn(outdir, JSON.parse(readFileSync(metafileFile, 'utf8')) as Metafile);
    rmSync(outdir, { recursive: true, force: true });
    const bundles = await bundleFunctions(outdir);
    writeFileSync(metafileFile, JSON.stringify(bundles.metafile));
    writeFileSync(stampFile, stamp);
    return bundles;
  });
}
