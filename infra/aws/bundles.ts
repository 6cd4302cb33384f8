/** The code of the functions: one bundle per file of `functions/`, all built by one call of esbuild. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { builtFolder } from '../../shared/platform/built-folder.ts';
import { c2paWasmFile } from '../../shared/provenance/c2pa-wasm-file.ts';
import { bringUpToDate, project } from '../local/built-folder.ts';
import { buildClients, clientsSources } from '../local/clients/build-clients.ts';
import { buildDocs, buildVerify, docsSources } from '../local/docs/build-docs.ts';
import { builtInModules, requireBanner } from './bundling/built-in-modules.ts';
import { clientVersions } from './bundling/client-versions.ts';
import { eventStreams } from './bundling/event-streams.ts';
import { lambdaEntry } from './bundling/lambda-entry.ts';
import { publishedTexts } from './bundling/published-texts.ts';
import { replacedModules } from './bundling/replaced-modules.ts';
import { replacements } from './bundling/replacements.ts';
import { serviceErrors } from './bundling/service-errors.ts';
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

/** Replaces a module that is imported by a logger inside `file-type`, and that the logger can do without. */
const absentColors = fileURLToPath(new URL('absent-colors.ts', import.meta.url));

function bundleOf(file: string, directory: string, { outputs }: Metafile): FunctionBundle {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === `lambda:${file}`);
  if (!found) throw new Error(`esbuild produced no output for ${file}`);
  const [, { bytes, imports, inputs }] = found;
  const sources = Object.entries(inputs).map(([input, { bytesInOutput }]) => [input, bytesInOutput] as const);
  return {
    directory,
    path: join(directory, 'index.mjs'),
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
      serviceErrors,
      publishedTexts,
      withoutDescriptions,
      replacedModules(replacements),
    ],
    alias: { 'supports-color': absentColors },
    logLevel: 'warning',
    metafile: true,
  });
  cpSync(c2paWasmFile(), join(outdir, 'finalize', 'c2pa.wasm'));
  await Promise.all([buildDocs(), buildClients(), buildVerify()]);
  cpSync(builtFolder('docs'), join(outdir, 'getDocs', 'docs'), { recursive: true });
  cpSync(builtFolder('verify'), join(outdir, 'getVerify', 'verify'), { recursive: true });
  cpSync(builtFolder('clients'), join(outdir, 'getClients', 'clients'), { recursive: true });
  return bundlesIn(outdir, metafile);
}

/** The project's own files that bundles are made of, in addition to packages. */
export const bundledSources = ['functions', 'shared', 'infra/aws'];

/**
 * The bundles in `build/functions`, rebuilt if their sources have changed; shared by synthesis and tests because
 * building takes seconds. @throws {Error}
 */
export async function projectBundles(): Promise<Bundles> {
  const folder = join(project, 'build', 'functions');
  const metafile = 'metafile.json';
  await bringUpToDate({
    folder,
    sources: [...bundledSources.map((own) => `${own}/**/*.*`), ...docsSources, ...clientsSources],
    build: async (outdir) => {
      const bundles = await bundleFunctions(outdir);
      writeFileSync(join(outdir, metafile), JSON.stringify(bundles.metafile));
    },
  });
  return bundlesIn(folder, JSON.parse(readFileSync(join(folder, metafile), 'utf8')) as Metafile);
}
