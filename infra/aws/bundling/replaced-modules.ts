/** Replaces modules of packages in bundles; the build fails if such a module has changed. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sep } from 'node:path';
import type { OnLoadResult, Plugin } from 'esbuild';

export interface Replacement {
  /** The module's path in node_modules. */
  readonly module: string;
  /** The hash of the original module. */
  readonly sha256: string;
  readonly replace: (text: string) => string;
}

const marker = '/node_modules/';

/** The module's path in node_modules; undefined for a file outside packages. */
const moduleOf = (path: string): string | undefined => path.replaceAll(sep, '/').split(marker).at(-1);

async function replaced({ sha256, replace }: Replacement, path: string): Promise<OnLoadResult> {
  const text = await readFile(path, 'utf8');
  const found = createHash('sha256').update(text).digest('hex');
  if (found !== sha256) {
    return { errors: [{ text: `This module has changed (its SHA-256 is ${found}): check what replaces it.` }] };
  }
  return { contents: replace(text), loader: 'js' };
}

/** A replacement that no function uses is an error too, because its module may have been renamed. */
export const replacedModules = (replacements: readonly Replacement[]): Plugin => ({
  name: 'replaced-modules',
  setup(bundling) {
    const byModule = new Map(replacements.map((replacement) => [replacement.module, replacement]));
    const endings = replacements.map(({ module }) => RegExp.escape(module).replaceAll('\\/', '[\\\\/]'));
    const missing = new Set(byModule.keys());
    bundling.onLoad({ filter: new RegExp(`node_modules[\\\\/](${endings.join('|')})$`) }, ({ path }) => {
      const replacement = byModule.get(moduleOf(path) ?? '');
      if (!replacement) return undefined;
      missing.delete(replacement.module);
      return replaced(replacement, path);
    });
    bundling.onEnd(() => ({
      errors: [...missing].map((module) => ({ text: `No function loads ${module} any more.` })),
    }));
  },
});
