/** Replaces modules of packages in the bundles; the build fails when such a module has changed. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sep } from 'node:path';
import type { OnLoadResult, Plugin } from 'esbuild';

export interface Replacement {
  /** Its path in node_modules. */
  readonly module: string;
  /** The hash of the module that the replacement was written for; without it, `replace` checks the text itself. */
  readonly sha256?: string;
  /** @throws {Error} when the text is not the expected one. */
  readonly replace: (text: string) => string;
}

const marker = '/node_modules/';

/** Undefined for a file that belongs to no package. */
const moduleOf = (path: string): string | undefined => path.replaceAll(sep, '/').split(marker).at(-1);

async function replaced({ sha256, replace }: Replacement, path: string): Promise<OnLoadResult> {
  const text = await readFile(path, 'utf8');
  const found = createHash('sha256').update(text).digest('hex');
  if (sha256 !== undefined && found !== sha256) {
    return { errors: [{ text: `This module has changed (its SHA-256 is ${found}): check what replaces it.` }] };
  }
  return { contents: replace(text), loader: 'js' };
}

/** A module that no function loads is an error too: it may have been renamed and need its replacement there. */
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
