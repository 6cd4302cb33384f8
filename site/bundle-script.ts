/** Bundles a script of the site for browsers; what it loads only when needed becomes a file of its own. */
import { build } from 'esbuild';

export const bundleScript = async (script: string, outdir: string): Promise<void> =>
  void (await build({
    entryPoints: [script],
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: '[name]',
    format: 'esm',
    target: 'es2022',
    minify: true,
    logLevel: 'warning',
  }));
